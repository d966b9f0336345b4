"""Small ONNX models, written by hand: no package is needed."""
import struct

FLOAT, INT64, BOOL, FLOAT16, DOUBLE = 1, 7, 9, 10, 11
# name of assay, number of ONNX, name of NumPy
TYPES = (("f32", 1, "float32"), ("u8", 2, "uint8"), ("i8", 3, "int8"), ("u16", 4, "uint16"),
         ("i16", 5, "int16"), ("i32", 6, "int32"), ("i64", 7, "int64"), ("bool", 9, "bool"),
         ("f16", 10, "float16"), ("f64", 11, "float64"), ("u32", 12, "uint32"), ("u64", 13, "uint64"))


def varint(n):
    out = b""
    while n >= 0x80:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    """A number, or anything with bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value & (1 << 64) - 1)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor_type(dtype, shape):
    dims = b"".join(field(1, field(1 if isinstance(d, int) else 2, d)) for d in shape)
    return field(1, field(1, dtype) + field(2, dims))


def value(name, dtype, shape):
    return field(1, name) + field(2, tensor_type(dtype, shape))


def attribute(name, number):
    """Whole numbers, reals, texts, and lists of whole numbers."""
    if isinstance(number, int):
        return field(1, name) + field(3, number) + field(20, 2)
    if isinstance(number, float):
        return field(1, name) + b"\x15" + struct.pack("<f", number) + field(20, 1)
    if isinstance(number, str):
        return field(1, name) + field(4, number) + field(20, 3)
    return field(1, name) + b"".join(field(8, n) for n in number) + field(20, 7)


def node(kind, inputs, outputs, name="", **attributes):
    return (b"".join(field(1, i) for i in inputs) + b"".join(field(2, o) for o in outputs)
            + (field(3, name) if name else b"") + field(4, kind)
            + b"".join(field(5, attribute(k, v)) for k, v in attributes.items()))


def initializer(name, values, shape=None):
    """Of floats."""
    shape = [len(values)] if shape is None else shape
    return (b"".join(field(1, d) for d in shape) + field(2, FLOAT) + field(8, name)
            + field(9, struct.pack(f"<{len(values)}f", *values)))


def external(name, shape, location, **more):
    entries = {"location": location, **more}
    return (b"".join(field(1, d) for d in shape) + field(2, FLOAT) + field(8, name)
            + b"".join(field(13, field(1, k) + field(2, str(v))) for k, v in entries.items())
            + field(14, 1))


def model(nodes, inputs, outputs, initializers=(), opset=13, values=()):
    graph = (b"".join(field(1, n) for n in nodes) + field(2, "net")
             + b"".join(field(5, i) for i in initializers)
             + b"".join(field(11, i) for i in inputs) + b"".join(field(12, o) for o in outputs)
             + b"".join(field(13, v) for v in values))
    # 6 doc_string and 999 are fields that a reader may not know.
    return (field(1, 8) + field(7, graph) + field(8, field(2, opset)) + field(6, "hello")
            + field(999, "keep me"))


def chain(shape=(2, 3)):
    """x -> Relu a -> Add b -> Split c, d -> Neg e; e and c are outputs."""
    return model(
        [node("Relu", ["x"], ["a"], "relu"), node("Add", ["a", "w"], ["net/b"], "add"),
         node("Split", ["net/b"], ["c", "d"], axis=0), node("Neg", ["d"], ["e"], "neg")],
        [value("x", FLOAT, shape)], [value("e", FLOAT, ["p", "q"]), value("c", FLOAT, ["p", "q"])],
        [initializer("w", [0.5])])
