"""Several models in one dump and a folder of graphs: each model through its own.

  TIME/DEVICE/MODEL/MODELID/STEP/file; of each model the last step is compared.
"""
import json
import os

import numpy as np

import program
from ascend_files import op, output, save, save_graph

TIME = "20240101120000"


def operators(net):
    """The same operator names in each model, made of other originals."""
    return [op("x", "Data", outputs=[output()]),
            op("conv", "Conv2D", ["x:0"], [output(f"{net}_relu", 0)], [f"{net}_conv", f"{net}_relu"]),
            op("trans", "TransData", ["conv:0"], [output(f"{net}_relu", 0)], []),
            op("out", "Softmax", ["trans:0"], [output()], [f"{net}_softmax"])]


# The rule: the same name, or two numbers in each name and the second the same.
MODELS = {  # folder -> (name of its graph, originals)
    "net_a": ("net_a", "a"),
    "ge_1700000000_2": ("ge_1699999999_2", "b"),
    "ge_1700000000_12": ("ge_1699999999_12", "c"),
}
STEPS = {"net_a": ("9", "10"), "ge_1700000000_2": ("0",), "ge_1700000000_12": ("2", "11", "3")}
IDS = {"net_a": (1, 10)}  # loaded twice


def write(folder):
    rng = np.random.default_rng(3)
    value = lambda: rng.standard_normal(8).astype("f4")
    for k, (model, (graph, net)) in enumerate(MODELS.items()):
        save_graph(os.path.join(folder, "graphs", f"g{2 - k}.json"), (graph, operators(net)))
        for step in STEPS[model]:
            for number in IDS.get(model, (k + 1,)):
                leaf = os.path.join(folder, "my", TIME, "0", model, str(number), step)
                for kind, name in (("Conv2D", "conv"), ("TransData", "trans"), ("Softmax", "out")):
                    save(leaf, f"{kind}.{name}.1.2.{1700000000000000 + k}", [value()], [value()])
        golden = os.path.join(folder, "golden")
        os.makedirs(golden, exist_ok=True)
        for name in ("conv", "relu", "softmax"):
            np.save(os.path.join(golden, f"{net}_{name}.0.1700000000000001.npy"), value())
    save_graph(os.path.join(folder, "graphs", "stranger.json"), ("other", [op("z", "Relu", outputs=[output()])]))


def expected():
    pairs = {}
    for model, (_, net) in MODELS.items():
        step = max(STEPS[model], key=int)
        for name, port, golden in (("conv", "output", "relu"), ("trans", "input", "relu"),
                                   ("trans", "output", "relu"), ("out", "input", "relu"),
                                   ("out", "output", "softmax")):
            for number in IDS.get(model, (None,)):
                pairs[model, number, step, name, f"{port}:0"] = f"{net}_{golden}"
    return pairs


def found(report):
    pairs = {}
    for row in report["rows"]:
        *_, model, number, step, file = ("///" + row["target"][0]["file"]).split("/")
        pairs[model, int(number or 0) if model in IDS else None, step, file.split(".")[1], row["target"][0]["tensor"]] = \
            row["golden"][0]["file"].split(".")[0]
    return pairs


def check_each_model_through_its_graph(assay, folder, _samples):
    write(folder)
    at = lambda *names: os.path.join(folder, *names)
    for target, graphs in ((at("my", TIME), at("graphs")), (at("my"), at("graphs", ""))):
        done = assay.run("compare", at("golden"), target, "--graph", graphs, "--json")
        report = json.loads(done.stdout)
        program.expect_whole(report)
        assert done.stderr.startswith("pairing: batch (because "), done.stderr
        assert found(report) == expected(), set(found(report).items()) ^ set(expected().items())
    reasons = {u["why"] for u in report["unpaired"] if u["side"] == "target"}
    assert "an earlier step, and golden has no steps" in reasons, reasons
    fused = {u["name"].split(".")[0]: u["why"] for u in report["unpaired"] if u["side"] == "golden"}
    assert fused == {f"{net}_conv": "fused away into conv" for net in "abc"}, fused


def check_one_model_of_several(assay, folder, _samples):
    """The folder of one model, and all the graphs."""
    write(folder)
    model = "ge_1700000000_12"
    report = assay.json("compare", os.path.join(folder, "golden"),
                        os.path.join(folder, "my", TIME, "0", model), "--graph",
                        os.path.join(folder, "graphs"))
    program.expect_whole(report)
    assert report["pairing"]["strategy"] == "batch", report["pairing"]
    wanted = {golden for (name, *_), golden in expected().items() if name == model}
    assert {golden for golden in found(report).values()} == wanted, found(report)


def check_model_without_a_graph(assay, folder, _samples):
    """Its operators have the same names as those of the others; their graphs are not for it."""
    write(folder)
    model = "ge_1700000000_12"
    os.remove(os.path.join(folder, "graphs", "g0.json"))
    report = assay.json("compare", os.path.join(folder, "golden"), os.path.join(folder, "my", TIME), "--graph",
                        os.path.join(folder, "graphs"))
    program.expect_whole(report)
    assert found(report) == {key: golden for key, golden in expected().items() if key[0] != model}
    whys = {u["why"] for u in report["unpaired"] if f"/{model}/" in u["file"]}
    assert "no graph is given for its model" in whys, whys
