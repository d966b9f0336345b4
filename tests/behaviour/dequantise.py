"""A quantisation against what it was given: its integers are seen as the numbers they stand for."""
import os

import numpy as np

import program
from ascend_files import op, output, save, save_graph

SCALE, OFFSET = 20.0, 3.0  # stored = round(x * SCALE + OFFSET)


def write(folder, stored, **attrs):
    quant = op("x_quant_layer", "AscendQuant", ["x:0"], [output(dtype="DT_INT8")], **attrs)
    data = op("x", "Data", outputs=[output()])
    relu = op("y", "Relu", ["x:0"], [output()])
    save_graph(os.path.join(folder, "graph.json"), ("net", [data, quant, relu]))
    save(os.path.join(folder, "my"), "AscendQuant.x_quant_layer.1.0.1700000000000001", [], [stored])
    save(os.path.join(folder, "my"), "Relu.y.2.0.1700000000000002", [], [np.ones(4, "f4")])


def write_golden(folder, x):
    os.makedirs(os.path.join(folder, "golden"))
    np.save(os.path.join(folder, "golden", "x.0.1700000000000000.npy"), x)
    np.save(os.path.join(folder, "golden", "y.0.1700000000000001.npy"), np.ones(4, "f4"))


def compare(assay, folder):
    report = assay.json("compare", os.path.join(folder, "golden"), os.path.join(folder, "my"), "--graph",
                        os.path.join(folder, "graph.json"))
    program.expect_whole(report)
    return report


def check_scale_of_the_graph(assay, folder, _samples):
    x = np.random.default_rng(5).uniform(-6, 6, (3, 40)).astype("f4")
    stored = np.round(x * SCALE + OFFSET).astype("i1")
    write_golden(folder, x)
    write(folder, stored, scale={"f": str(SCALE)}, offset={"f": str(OFFSET)})
    row, _ = compare(assay, folder)["rows"]
    assert row["steps"] == ["target: dequantise, (x - 3) * 0.05"], row["steps"]
    assert row["verdict"] == "pass" and "steps of 0.05" in row["why"], row
    means = (stored.astype("f8") - OFFSET) / SCALE
    assert abs(row["metrics"]["max_abs"] - np.abs(means - x).max()) < 1e-6, row["metrics"]
    assert abs(row["metrics"]["max_target"] - means.max()) < 1e-6, row["metrics"]
    write(folder, stored + np.int8(2), scale={"f": str(SCALE)}, offset={"f": str(OFFSET)})
    row, _ = compare(assay, folder)["rows"]
    assert row["verdict"] in ("unsure", "fail"), row
    assert abs(row["worst"][0]["target"] - row["worst"][0]["golden"]) > 0.09, row["worst"]


def check_no_scale(assay, folder, _samples):
    x = np.ones(8, "f4")
    write_golden(folder, x)
    for attrs in ({}, {"scale": {"f": "0"}}, {"scale": {"s": "many"}}, {"scale": {"f": "nan"}},
                  {"scale": {"f": "2"}, "offset": {"f": "inf"}}):
        write(folder, x.astype("i1"), **attrs)
        report = compare(assay, folder)
        whys = {u["name"]: u["why"] for u in report["unpaired"]}
        assert len(report["rows"]) == 1 and whys["x_quant_layer:output:0"] == \
            "quantised output, and the graph gives no scale", (attrs, whys)


def check_scale_of_each_channel(assay, folder, _samples):
    """Scales along the channels of the framework's layout; sqrt_mode squares them."""
    x = np.random.default_rng(6).uniform(-1, 1, (2, 3, 4, 5)).astype("f4")
    scales, offsets = [20.0, 50.0, 100.0], [0.0, 3.0, -2.0]
    write_golden(folder, x)
    for layout, axis in (("NCHW", 1), ("ND", 3)):
        shape = [1, 1, 1, 1]
        count = shape[axis] = x.shape[axis]
        many = np.resize(scales, count), np.resize(offsets, count)
        stored = np.round(x * many[0].reshape(shape) + many[1].reshape(shape)).astype("i1")
        attrs = {"scale": {"list": {"f": [float(s) ** 0.5 for s in many[0]]}},
                 "offset": {"list": {"f": [float(o) for o in many[1]]}}, "sqrt_mode": {"b": True}}
        described = output(dtype="DT_INT8")
        described["attr"].append({"key": "_datadump_origin_format", "value": {"s": layout}})
        quant = op("x_quant_layer", "AscendQuant", ["x:0"], [described], **attrs)
        save_graph(os.path.join(folder, "graph.json"), ("net", [op("x", "Data", outputs=[output()]), quant]))
        save(os.path.join(folder, "my"), "AscendQuant.x_quant_layer.1.0.1700000000000001", [], [stored])
        row, = compare(assay, folder)["rows"]
        assert row["steps"] == [f"target: dequantise, {count} scales along dimension {axis}"], row["steps"]
        assert row["verdict"] == "pass" and "steps of 0.05" in row["why"], row
        means = (stored - many[1].reshape(shape)) / many[0].reshape(shape)
        assert abs(row["metrics"]["mean_abs"] - np.abs(means - x).mean()) < 1e-6, row["metrics"]
