"""NumPy arrays in files: .npy, and .safetensors for the types that .npy cannot say.

NumPy has no bf16 and no 8-bit floats. Where the package ml_dtypes is installed (OpenVINO, TVM and onnx
bring it along) such tensors are arrays of its types, else of their plain bits.
"""
import json

import numpy

# assay's name, NumPy's, and that of safetensors.
TYPES = (
    ("f64", "float64", "F64"), ("f32", "float32", "F32"), ("f16", "float16", "F16"),
    ("bf16", "bfloat16", "BF16"), ("f8e4m3", "float8_e4m3fn", "F8_E4M3"),
    ("f8e5m2", "float8_e5m2", "F8_E5M2"), ("f8e8m0", "float8_e8m0fnu", "F8_E8M0"),
    ("i64", "int64", "I64"), ("i32", "int32", "I32"), ("i16", "int16", "I16"), ("i8", "int8", "I8"),
    ("u64", "uint64", "U64"), ("u32", "uint32", "U32"), ("u16", "uint16", "U16"), ("u8", "uint8", "U8"),
    ("bool", "bool", "BOOL"), ("c64", "complex64", "C64"), ("c128", "complex128", ""),
)
NOT_NUMPY = {"bf16": "uint16", "f8e4m3": "uint8", "f8e5m2": "uint8", "f8e8m0": "uint8"}


def dtype_name(array):
    """assay's name of the array's type."""
    for name, numpys, _ in TYPES:
        if array.dtype.name == numpys:
            return name
    raise TypeError("assay has no type for arrays of " + str(array.dtype))


def _numpy_type(name):
    """Of assay's name; the type of the bits where nothing better is installed."""
    numpys = next(row[1] for row in TYPES if row[0] == name)
    if name not in NOT_NUMPY:
        return numpy.dtype(numpys)
    try:
        import ml_dtypes
        return numpy.dtype(getattr(ml_dtypes, numpys))
    except (ImportError, AttributeError):
        return numpy.dtype(NOT_NUMPY[name])


def write_safetensors(path, arrays):
    """`arrays` by name. Entries stand one after the other, as the format wants it."""
    header, offset = {}, 0
    for name, array in arrays.items():
        kind = next(row[2] for row in TYPES if row[0] == dtype_name(array))
        if not kind:
            raise TypeError(f"safetensors has no type for {name} of {array.dtype}")
        header[name] = {"dtype": kind, "shape": list(array.shape),
                        "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            file.write(_little_endian(array).tobytes())


def _little_endian(array):
    return array.astype(array.dtype.newbyteorder("<")) if array.dtype.byteorder == ">" else array


def read_safetensors(path):
    """Arrays by name, each read into memory of its own."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        start = file.tell()
        header.pop("__metadata__", None)
        arrays = {}
        for name, entry in header.items():
            assay = next(row[0] for row in TYPES if row[2] == entry["dtype"])
            begin, end = entry["data_offsets"]
            file.seek(start + begin)
            flat = numpy.frombuffer(bytearray(file.read(end - begin)), _numpy_type(assay))
            arrays[name] = flat.reshape(entry["shape"])
    return arrays


def read_array(path):
    """The tensor of a file that holds one."""
    if not str(path).endswith(".safetensors"):
        return numpy.load(path, allow_pickle=False)
    return next(iter(read_safetensors(path).values()))


def write_array(path, array):
    """Writes it and returns the path: another suffix where .npy has no such type."""
    if dtype_name(array) not in NOT_NUMPY:
        with open(path, "wb") as file:  # np.save adds a suffix of its own to a name
            numpy.save(file, array, allow_pickle=False)
        return path
    path = str(path)[: -len(".npy")] + ".safetensors" if str(path).endswith(".npy") else str(path)
    write_safetensors(path, {"tensor": array})
    return path
