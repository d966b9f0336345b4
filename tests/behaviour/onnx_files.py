"""Models for the tests of `assay dump`: a chain, and parts of damaged ones."""
import struct

from tiny_onnx import FLOAT, field, node, value_info

# name of assay, number of ONNX, name of NumPy
TYPES = (("f32", 1, "float32"), ("u8", 2, "uint8"), ("i8", 3, "int8"), ("u16", 4, "uint16"),
         ("i16", 5, "int16"), ("i32", 6, "int32"), ("i64", 7, "int64"), ("bool", 9, "bool"),
         ("f16", 10, "float16"), ("f64", 11, "float64"), ("u32", 12, "uint32"), ("u64", 13, "uint64"))


def value(name, kind, shape):
    return value_info(name, shape, kind)


def initializer(name, values, shape=None):
    """Of floats."""
    shape = [len(values)] if shape is None else shape
    return (field(1, list(shape)) + field(2, FLOAT) + field(8, name)
            + field(9, struct.pack(f"<{len(values)}f", *values)))


def external(name, shape, location, **more):
    entries = {"location": location, **more} if location else more
    return (field(1, list(shape)) + field(2, FLOAT) + field(8, name)
            + b"".join(field(13, field(1, k) + field(2, str(v))) for k, v in entries.items())
            + field(14, 1))


def model(nodes, inputs, outputs, initializers=(), opset=13, values=()):
    graph = (field(1, nodes) + field(2, "net") + field(5, initializers) + field(11, inputs)
             + field(12, outputs) + field(13, values))
    # 6 doc_string and 999 are fields that a reader may not know.
    return (field(1, 8) + field(7, graph) + field(8, field(2, opset)) + field(6, "hello")
            + field(999, "keep me"))


def chain(shape=(2, 3)):
    """x -> Relu a -> Add b -> Split c, d -> Neg e; e and c are outputs."""
    return model(
        [node("Relu", ["x"], ["a"], "relu"), node("Add", ["a", "w"], ["net/b"], "add"),
         node("Split", ["net/b"], ["c", "d"], "", axis=0), node("Neg", ["d"], ["e"], "neg")],
        [value("x", FLOAT, shape)], [value("e", FLOAT, ["p", "q"]), value("c", FLOAT, ["p", "q"])],
        [initializer("w", [0.5])])


def long_chain(count):
    """x -> n0 -> n1 -> ..., each one more; the last is the output."""
    names = [f"n{i}" for i in range(count)]
    return model([node("Add", [before, "one"], [name]) for before, name in zip(["x", *names], names)],
                 [value("x", FLOAT, [2, 3])], [value(names[-1], FLOAT, [2, 3])], [initializer("one", [1])])
