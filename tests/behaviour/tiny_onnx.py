"""ONNX models of a few operators, written by hand: no package is needed to make them.

    tiny_onnx.py FILE      writes the model of the examples
"""
import struct
import sys

import numpy

FLOAT, UINT8, INT8, INT64 = 1, 2, 3, 7  # TensorProto.DataType
TYPES = {"float32": FLOAT, "uint8": UINT8, "int8": INT8, "int64": INT64}


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number, value):
    """One field of a protobuf message: an int, a text, bytes, or a list of them."""
    if isinstance(value, (list, tuple)):
        return b"".join(field(number, entry) for entry in value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, array):
    return (field(1, [int(size) for size in array.shape]) + field(2, TYPES[array.dtype.name])
            + field(8, name) + field(9, array.tobytes()))


def value_info(name, shape, kind=FLOAT):
    """A text among the sizes is a dimension that is open."""
    sizes = [field(1, size) if isinstance(size, int) else field(2, size) for size in shape]
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, field(1, sizes))))


def attribute(name, value):
    if isinstance(value, float):
        return field(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + field(20, 1)
    if isinstance(value, bytes):  # a tensor, written already
        return field(1, name) + field(5, value) + field(20, 4)
    return field(1, name) + field(3, value) + field(20, 2)


def node(kind, inputs, outputs, name=None, **attributes):
    """Named after its first output, in lower case, if it is not told otherwise."""
    name = "n_" + outputs[0] if name is None else name
    return (field(1, inputs) + field(2, outputs) + (field(3, name) if name else b"") + field(4, kind)
            + field(5, [attribute(name, value) for name, value in attributes.items()]))


def model(nodes, inputs, outputs, weights, between=(), more=()):
    """`more`: initializers that are written already."""
    graph = (field(1, nodes) + field(2, "tiny")
             + field(5, [tensor(*pair) for pair in weights.items()] + list(more))
             + field(11, inputs) + field(12, outputs) + field(13, between))
    return field(1, 8) + field(2, "assay tests") + field(7, graph) + field(8, field(1, "") + field(2, 13))


def perceptron():
    """Two branches of a small network with 11 taps; `batch` is open."""
    generator = numpy.random.default_rng(1)
    weights = {name: generator.uniform(-1, 1, shape).astype("float32") for name, shape in
               (("w1", (4, 8)), ("b1", (8,)), ("w2", (8, 8)), ("b2", (8,)), ("w3", (8, 3)), ("b3", (3,)))}
    nodes = [node("MatMul", ["x", "w1"], ["fc1"]), node("Add", ["fc1", "b1"], ["fc1_bias"]),
             node("Relu", ["fc1_bias"], ["relu1"]), node("MatMul", ["relu1", "w2"], ["fc2"]),
             node("Add", ["fc2", "b2"], ["fc2_bias"]), node("Sigmoid", ["fc2_bias"], ["gate"]),
             node("Mul", ["relu1", "gate"], ["gated"]), node("MatMul", ["gated", "w3"], ["fc3"]),
             node("Add", ["fc3", "b3"], ["fc3_bias"]), node("Softmax", ["fc3_bias"], ["y"], axis=1),
             node("Relu", ["fc3_bias"], ["branch/relu"])]
    between = [value_info(name, ["batch", 8]) for name in ("relu1", "gate", "gated")]
    return model(nodes, [value_info("x", ["batch", 4])],
                 [value_info("y", ["batch", 3]), value_info("branch/relu", ["batch", 3])], weights, between)


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(perceptron())
