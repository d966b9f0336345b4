"""Dumps in every format and type, written without the program's help."""
import json
import os
import struct

import numpy as np

MANY = (1 << 22) + 3001  # more than one chunk


def pair(rng, n, relative=1e-3):
    golden = rng.standard_normal(n).astype("f4")
    return golden, (golden * (1 + relative * rng.standard_normal(n).astype("f4"))).astype("f4")


def bf16(values):
    return (values.astype("f4").view("u4") >> 16).astype("u2")


def safetensors(path, tensors):
    """tensors: name -> (type, shape, bytes)."""
    head, at = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        head[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(head).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in tensors.values():
            file.write(data)


def varint(value):
    out = b""
    while value >= 128:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def tensor_pb(path, name, shape, data):
    """An ONNX TensorProto of float32 with raw data."""
    dims = b"".join(b"\x08" + varint(d) for d in shape)
    text = name.encode()
    with open(path, "wb") as file:
        file.write(dims + b"\x10\x01" + b"\x42" + varint(len(text)) + text +
                   b"\x4a" + varint(len(data)) + data)


def ascend_dump(inputs, outputs):
    """The bytes of an Ascend dump file: length, header, one block per tensor."""
    types = {"f4": 1, "f2": 2, "i1": 3, "u1": 4, "i4": 7, "i8": 8}

    def part(number, data):
        return varint(number << 3 | 2) + varint(len(data)) + data

    def tensor(number, size, array):
        shape = part(3, part(1, b"".join(map(varint, array.shape))))
        return part(number, b"\x08" + varint(types[array.dtype.str[1:]]) + b"\x10\x02" + shape +
                    varint(size << 3) + varint(array.nbytes))

    header = part(1, b"2.0")
    header += b"".join(tensor(3, 6, a) for a in outputs) + b"".join(tensor(4, 5, a) for a in inputs)
    return struct.pack("<Q", len(header)) + header + b"".join(a.tobytes() for a in [*inputs, *outputs])


def hole(path, count, descr="<f4"):
    """A .npy of zeros that takes no room on disk."""
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": descr, "fortran_order": False, "shape": (count,)})
        file.truncate(file.tell() + count * np.dtype(descr).itemsize)


def write_side(folder, which, rng_seed=7):
    """One side (0 golden, 1 target) of a dump of every kind."""
    os.makedirs(folder)
    rng = np.random.default_rng(rng_seed)
    at = lambda name: os.path.join(folder, name)
    few, many = pair(rng, 30011)[which], pair(rng, MANY)[which]
    np.savez_compressed(at("deflated.npz"), few=few, half=few.astype("f2"),
                        whole=(few * 9).astype("i4"), many=(many * 4).astype("i1"))
    np.savez(at("stored.npz"), few=few, double=few.astype("f8"))
    np.save(at("half_many.npy"), many.astype("f2"))
    np.save(at("column.npy"), np.asfortranarray(few[:30000].reshape(10, 30, 100)))
    np.save(at("column_many.npy"), np.asfortranarray(many[:2048 * 2049].reshape(2048, 2049)))
    np.save(at("big_endian.npy"), few.astype(">f4"))
    np.save(at("complex.npy"), (few[:15000] + 1j * few[15000:30000]).astype("c8"))
    bytes8 = (np.clip(np.abs(few) * 20, 0, 119)).astype("u1").tobytes()
    safetensors(at("all.safetensors"),
                {"f16": ("F16", few.shape, few.astype("f2").tobytes()),
                 "bf16": ("BF16", few.shape, bf16(few).tobytes()),
                 "bf16_many": ("BF16", many.shape, bf16(many).tobytes()),
                 "e4m3": ("F8_E4M3", few.shape, bytes8),
                 "e5m2": ("F8_E5M2", few.shape, bytes8),
                 "i64": ("I64", few.shape, (few * 1e12).astype("i8").tobytes())})
    tensor_pb(at("tensor.pb"), "x", few.shape, few.tobytes())
