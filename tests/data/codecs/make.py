#!/usr/bin/env python3
"""Writes the sample files of the codec tests, and truth.tsv: what is in them.

Run with NumPy 1.24 or later; the output is the same every time:
  /usr/bin/python3 tests/data/codecs/make.py
Columns of truth.tsv: file, tensor, dtype, shape, flags (B big-endian,
C column-major), hex of the values as they stand in the file.
"""
import io
import json
import pathlib
import shutil
import struct
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).parent
CORPUS = HERE.parents[2] / "fuzz" / "corpus"
TRUTH = []

NAMES = {"f8": "f64", "f4": "f32", "f2": "f16", "i8": "i64", "i4": "i32",
         "i2": "i16", "i1": "i8", "u8": "u64", "u4": "u32", "u2": "u16",
         "u1": "u8", "b1": "bool", "c8": "c64", "c16": "c128"}


def truth(file, tensor, dtype, shape, data, flags=""):
    dims = "[" + ",".join(str(d) for d in shape) + "]"
    TRUTH.append("\t".join([file, tensor, dtype, dims, flags, data.hex()]))


def truth_of(file, tensor, array):
    dtype = NAMES.get(array.dtype.str[1:], "opaque")
    column = array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous
    flags = ("B" if array.dtype.str[0] == ">" else "") + ("C" if column else "")
    data = array.tobytes(order="F" if column else "C")
    if array.dtype.hasobject:
        data = b""
    truth(file, tensor, dtype, array.shape, data, flags)


def npy_bytes(array, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


def put(file, data):
    (HERE / file).write_bytes(data)


def npy(file, array, version=None):
    put(file, npy_bytes(array, version))
    truth_of(file, "", array)


def npy_by_hand(file, dtype, shape, dict_text, data, flags="", major=1):
    """A header as other writers make it: `dict_text` is used as it is."""
    head = dict_text.encode("utf-8")
    length = struct.pack("<H" if major == 1 else "<I", len(head))
    put(file, b"\x93NUMPY" + bytes([major, 0]) + length + head + data)
    truth(file, "", dtype, shape, data, flags)


def make_npy():
    for code in NAMES:
        values = np.arange(-2, 4) if code[0] in "ifc" else np.arange(6)
        npy(f"{code}.npy", values.astype(code).reshape(2, 3))
    npy("big_endian.npy", np.arange(6, dtype=">f4").reshape(2, 3))
    npy("big_complex.npy", np.array([1 + 2j, 3 - 4j], dtype=">c16"))
    npy("fortran.npy", np.asfortranarray(np.arange(6, dtype="f4").reshape(2, 3)))
    npy("scalar.npy", np.array(7.5, dtype="f4"))
    npy("empty.npy", np.zeros((2, 0, 3), dtype="f4"))
    npy("rank7.npy", np.ones((1, 2, 1, 2, 1, 1, 1), dtype="i2"))
    npy("version2.npy", np.arange(3, dtype="f4"), (2, 0))
    npy("version3.npy", np.arange(3, dtype="f4"), (3, 0))
    npy("bytes.npy", np.array([b"ab", b"c"]))
    npy("text.npy", np.array(["ab", "c"]))
    npy("record.npy", np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f4")]))
    npy("time.npy", np.array(["2020-01-01"], dtype="M8[ns]"))
    npy("void2.npy", np.zeros(3, dtype="V2"))
    array = np.array([1, 2], dtype=np.longdouble)
    put("longdouble.npy", npy_bytes(array))
    truth("longdouble.npy", "", "opaque", [2], array.tobytes())
    out = io.BytesIO()
    np.lib.format.write_array(out, np.array([None], dtype=object))
    put("object.npy", out.getvalue())
    pickle = out.getvalue()[np_header_length(out.getvalue()):]
    truth("object.npy", "", "opaque", [1], pickle)
    four = struct.pack("<6f", *range(6))
    npy_by_hand("tfdbg.npy", "bool", [2],
                "{'descr': '<b1', 'fortran_order': False, 'shape': (2,), }     \n",
                b"\1\0")
    npy_by_hand("acl.npy", "f32", [2, 3],
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2,3,), }" + " " * 63 + "\n",
                four)
    npy_by_hand("keys.npy", "f32", [2, 3],
                '{ "shape" :(2L , 3L), "fortran_order":True,"descr": "=f4"}', four, "C")
    npy_by_hand("question.npy", "bool", [2],
                "{'descr':'?','shape':(2),'fortran_order':False}\n", b"\1\1", major=2)


def np_header_length(data):
    return 10 + struct.unpack("<H", data[8:10])[0]


class NoSeek(io.RawIOBase):
    """Makes zipfile write data descriptors."""

    def __init__(self):
        self.data = b""

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def archive(file, members, method=zipfile.ZIP_STORED, stream=None, comment=b""):
    out = stream or io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.comment = comment
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            with z.open(info, "w", force_zip64=True) as member:
                member.write(data)
    put(file, out.data if stream else out.getvalue())


def make_npz():
    arrays = {"x": np.arange(6, dtype="f4").reshape(2, 3), "a/b:0": np.arange(3),
              "/conv/out": np.zeros((2, 2), dtype="f2")}
    members = {k + ".npy": npy_bytes(v) for k, v in arrays.items()}
    text = {"readme.txt": b"hello"}
    for file, kwargs in {"stored.npz": {},
                         "deflated.npz": {"method": zipfile.ZIP_DEFLATED},
                         "streamed.npz": {"stream": NoSeek()},
                         "comment.npz": {"comment": b"PK\5\6 no end"}}.items():
        archive(file, members | text, **kwargs)
        for key, array in arrays.items():
            truth_of(file, key, array)
        truth(file, "readme.txt", "opaque", [], b"hello")
    prefix = b"#!/bin/sh\n"
    put("prefix.npz", prefix + (HERE / "stored.npz").read_bytes())
    for row in [r for r in TRUTH if r.startswith("stored.npz\t")]:
        TRUTH.append(row.replace("stored.npz", "prefix.npz", 1))
    archive("nothing.npz", {})
    zeros = np.zeros(100000, dtype="f4")
    archive("zeros.npz", {"z.npy": npy_bytes(zeros)}, zipfile.ZIP_DEFLATED)
    long = np.zeros(1, dtype=[(f"a_field_with_a_long_name_{i}", "<f4") for i in range(30)])
    archive("long_header.npz", {"r.npy": npy_bytes(long)}, zipfile.ZIP_DEFLATED)
    truth_of("long_header.npz", "r", long)


def make_safetensors():
    kinds = {"F64": ("f64", 8), "F32": ("f32", 4), "F16": ("f16", 2), "BF16": ("bf16", 2),
             "F8_E4M3": ("f8e4m3", 1), "F8_E5M2": ("f8e5m2", 1), "F8_E8M0": ("f8e8m0", 1),
             "I64": ("i64", 8), "I32": ("i32", 4), "I16": ("i16", 2), "I8": ("i8", 1),
             "U64": ("u64", 8), "U32": ("u32", 4), "U16": ("u16", 2), "U8": ("u8", 1),
             "BOOL": ("bool", 1), "C64": ("c64", 8), "F4": ("opaque", 1)}
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, width) in kinds.items():
        value = bytes(range(2 * width))
        header["t." + name] = {"dtype": name, "shape": [2, 1],
                               "data_offsets": [len(data), len(data) + len(value)]}
        truth("all.safetensors", "t." + name, dtype, [2, 1], value)
        data += value
    put("all.safetensors", safetensors(header, data))
    header = {"b": {"dtype": "F32", "shape": [], "data_offsets": [4, 8]},
              "none": {"dtype": "F32", "shape": [0, 3], "data_offsets": [4, 4]},
              "a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}}
    put("order.safetensors", safetensors(header, b"abcdefgh"))
    truth("order.safetensors", "a", "u8", [4], b"abcd")
    truth("order.safetensors", "none", "f32", [0, 3], b"")
    truth("order.safetensors", "b", "f32", [], b"efgh")


def safetensors(header, data):
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, payload):
    if isinstance(payload, int):
        return varint(number << 3) + varint(payload)
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def proto(file, dtype, shape, kind, number, payload, packed_dims=False):
    dims = field(1, b"".join(varint(d) for d in shape)) if packed_dims else \
        b"".join(field(1, d) for d in shape)
    put(file, dims + field(2, kind) + field(8, b"x") + field(number, payload) +
        field(12, b"made by hand"))
    truth(file, "x", dtype, shape, payload)


def make_onnx():
    packed = b"".join(varint(v) for v in (1, -2, 300))
    proto("raw.pb", "f32", [2, 3], 1, 9, struct.pack("<6f", *range(6)))
    proto("float_data.pb", "f32", [2], 1, 4, struct.pack("<2f", 1, 2), True)
    proto("double_data.pb", "f64", [2], 11, 10, struct.pack("<2d", 1, 2))
    proto("int32_data.pb", "i32", [3], 6, 5, packed)
    proto("int64_data.pb", "i64", [3], 7, 7, packed)
    proto("uint64_data.pb", "u32", [2], 12, 11, varint(1) + varint(1 << 31))
    proto("half_data.pb", "f16", [2], 10, 5, varint(0x3C00) + varint(0xC000))
    proto("int4.pb", "i4", [3], 22, 9, b"\x21\x03")
    proto("scalar.pb", "bf16", [], 16, 9, b"\x80\x3f")
    proto("none.pb", "f32", [0], 1, 9, b"")
    strings = field(1, 2) + field(2, 8) + field(6, b"ab") + field(6, b"c")
    put("strings.pb", strings)
    truth("strings.pb", "", "opaque", [2], strings)


def fill_corpus():
    """The fuzzers start from the small samples."""
    for codec, suffix in {"npy": ".npy", "npz": ".npz", "safetensors": ".safetensors",
                          "onnx": ".pb"}.items():
        folder = CORPUS / codec
        folder.mkdir(parents=True, exist_ok=True)
        for file in HERE.glob("*" + suffix):
            if file.stat().st_size < 4096:
                shutil.copyfile(file, folder / file.name)


if __name__ == "__main__":
    make_npy()
    make_npz()
    make_safetensors()
    make_onnx()
    (HERE / "truth.tsv").write_text("\n".join(TRUTH) + "\n")
    fill_corpus()
