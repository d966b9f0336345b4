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
    program.check_report(report)
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
