"""A model in f16 as converters make it: constants, input and output; what does not fit becomes inf.

    half_model.py MODEL OUT
"""
import sys

import numpy
import onnx


def save(path, out):
    """Writes it, and returns its path."""
    model = onnx.load(path)
    kept = {name for node in model.graph.node if node.op_type == "Resize" for name in node.input[1:]}
    for node in model.graph.node:
        value = node.attribute[0].t if node.op_type == "Constant" else None
        if value is None or value.data_type != onnx.TensorProto.FLOAT or node.output[0] in kept:
            continue
        with numpy.errstate(over="ignore"):
            array = onnx.numpy_helper.to_array(value).astype("float16")
        value.CopyFrom(onnx.numpy_helper.from_array(array, value.name))
    for entry in [*model.graph.input, *model.graph.output]:
        entry.type.tensor_type.elem_type = onnx.TensorProto.FLOAT16
    del model.graph.value_info[:]
    onnx.save(model, out)
    return out


if __name__ == "__main__":
    save(*sys.argv[1:])
