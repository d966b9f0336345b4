#!/usr/bin/python3
"""Write a GE model of a large network, as JSON like atc's and as text like GE's own dumps.

    graph_files.py FOLDER OPERATORS

4.2 kB an operator, as in models of real networks. The same number gives the same bytes.
"""
import json
import pathlib
import sys

TYPES = ["Conv2D", "BNTrainingUpdate", "Relu", "MatMulV2", "Add", "LayerNorm", "SoftmaxV2", "TransData", "Cast", "Mul"]
LAYOUTS = ["NC1HWC0", "FRACTAL_NZ", "ND", "NCHW"]


def text(value):
    return {"s": value}


def numbers(*values):
    return {"list": {"i": list(values), "val_type": "VT_LIST_INT"}}


def strings(*values):
    return {"list": {"s": list(values), "val_type": "VT_LIST_STRING"}}


def attributes(**values):
    return [{"key": key, "value": value} for key, value in sorted(values.items())]


def name_of(index):
    return f"bert/encoder/layer_{index // 40}/{TYPES[index % 10].lower()}_{index}"


def tensor(index, origin):
    channels = 64 << index % 4
    named = {}
    if origin:
        named = {
            "_datadump_origin_format": text("NCHW"),
            "_datadump_origin_name": text(origin),
            "_datadump_origin_output_index": {"i": 0},
        }
    return {
        "attr": attributes(
            **named,
            origin_format=text("NCHW"),
            origin_shape=numbers(1, channels, 56, 56),
        ),
        "device_type": "NPU",
        "dtype": "DT_FLOAT16",
        "layout": LAYOUTS[index % 4],
        "shape": {"dim": [1, channels // 16, 56, 56, 16]},
    }


WEIGHTS = 5


def weights(index):
    return {"id": 0, "name": f"weights_{index}", "output_desc": [tensor(index, "")], "type": "Const"}


def operator(index):
    name, after, weight = name_of(index), name_of(index + 1), f"weights_{index % WEIGHTS}"
    makers = [name_of(index - 1), weight] if index > 0 else [weight]
    kernel = {f"{name}_kernelname": text(f"te_{TYPES[index % 10].lower()}_{index * 2654435761 % 2**32:08x}_1")}
    return {
        "attr": attributes(
            **kernel,
            _datadump_original_op_names=strings(f"{name}/conv", f"{name}/bn"),
            _ge_attr_op_kernel_lib_name=text("AIcoreEngine"),
            epsilon={"f": "1e-05"},
            pass_name=strings("ConvBatchnormFusionPass"),
        ),
        "dst_index": [0],
        "dst_name": [after],
        "has_out_attr": True,
        "id": index + 1,
        "input": [f"{maker}:0" for maker in makers],
        "input_desc": [tensor(index, "")],
        "input_i": [index * 512],
        "name": name,
        "output_desc": [tensor(index, f"{name}/bn")],
        "output_i": [index * 512],
        "src_index": [0] * len(makers),
        "src_name": makers,
        "stream_id": index % 3 + 1,
        "type": TYPES[index % 10],
    }


def model(count):
    graph = {
        "attr": attributes(_session_graph_id=text("0_1")),
        "input": [f"{name_of(0)}:0"],
        "name": "bench_graph",
        "op": [weights(i) for i in range(WEIGHTS)] + [operator(index) for index in range(count - WEIGHTS)],
    }
    return {
        "attr": attributes(framework_type=text("Onnx"), soc_version=text("Ascend910B")),
        "custom_version": "1.0",
        "graph": [graph],
        "name": "bench",
        "version": 2,
    }


def text_lines(message, depth=0):
    """The text form of protobuf, one field a line."""
    pad = "  " * depth
    for key, values in message.items():
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, dict):
                yield f"{pad}{key} {{"
                yield from text_lines(value, depth + 1)
                yield f"{pad}}}"
            else:
                yield f"{pad}{key}: {word(key, value)}"


def word(key, value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or key in ("dtype", "val_type", "f"):
        return value
    return json.dumps(value)


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    whole = model(count)
    (folder / "model.json").write_text(json.dumps(whole, indent=2))
    lines = "\n".join(text_lines(whole))
    (folder / "ge_proto_00000001_Build.txt").write_text(lines + "\n")


if __name__ == "__main__":
    main()
