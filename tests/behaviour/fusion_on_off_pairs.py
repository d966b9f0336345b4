"""Fusion on against fusion off: pairs as the rules of both graphs give them."""
import json
import os

import numpy as np

import program
import rule_model
from ascend_files import op, output, save, save_graph

L1 = {"_L1_fusion_sub_graph_no": {"s": "3"}}
MULTI = {"_datadump_is_multiop": {"b": True}}


def off_graph():
    """Split's outputs stand in another order than in the framework."""
    return [
        op("x", "Data", outputs=[output()]),
        op("trans_in", "TransData", ["x:0"], [output("x", 0)], []),
        op("scope/conv1", "Conv2D", ["trans_in:0"], [output()]),
        op("bn1_infer", "BNInfer", ["scope/conv1:0"], [output("bn1", 0)], ["bn1"]),
        op("relu1", "Relu", ["bn1_infer:0"], [output()]),
        op("split_off", "SplitD", ["relu1:0"], [output("split", 1), output("split", 0)], ["split"]),
        op("a", "Mul", ["split_off:0"], [output()]),
        op("b", "Add", ["split_off:1"], [output()]),
        op("p", "Sub", ["a:0"], [output()]),
        op("q", "Exp", ["b:0"], [output()]),
        op("l1x", "Relu", ["p:0"], [output()]),
        op("l1y", "Relu", ["l1x:0"], [output()]),
        op("cast_out", "Cast", ["l1y:0"], [output("l1y", 0)], []),
    ]


def on_graph():
    return [
        op("x", "Data", outputs=[output()]),
        op("trans_a", "TransData", ["x:0"], [output("x", 0)], []),
        op("scope/conv1bn1relu1", "Conv2D", ["trans_a:0", "", "x:-1"], [output("relu1", 0)],
           ["scope/conv1", "bn1", "relu1"]),
        op("split", "SplitD", ["scope/conv1bn1relu1:0"], [output("split", 0), output("split", 1)],
           ["split"]),
        op("trans_b", "TransData", ["split:1"], [output()], []),
        op("ab_1", "Mul", ["split:0", "trans_b:0"], [output()], ["a", "b"], **MULTI),
        op("ab_2", "Add", ["ab_1:0"], [output("a", 0), output("b", 0)], ["a", "b"], **MULTI),
        op("p", "Sub", ["ab_2:0"], [output()]),
        op("q_hi", "Exp", ["ab_2:1"], [output()], ["q"]),
        op("q_lo", "Exp", ["q_hi:0"], [output("q", 0)], ["q"]),
        op("l1_first", "Relu", ["p:0"], [output("l1x", 0)], ["l1x"], **L1),
        op("l1_last", "Relu", ["l1_first:0"], [output("l1y", 0)], ["l1y"], **L1),
        op("cast_b", "Cast", ["l1_last:0"], [output("l1y", 0)], []),
        op("gone", "Relu", ["cast_b:0"], [output("nowhere", 0)], ["nowhere"]),
    ]


def save_dump(folder, ops, skip=()):
    """Every operator but Data; connected inputs alone are dumped."""
    rng = np.random.default_rng(len(ops))
    for k, one in enumerate(ops):
        if one["type"] == "Data" or one["name"] in skip:
            continue
        inputs = [i for i in one["input"] if i and not i.endswith(":-1")]
        name = rule_model.norm(one["name"])
        values = lambda many: [rng.standard_normal(8).astype("f4") for _ in many]
        save(folder, f"{one['type']}.{name}.{k}.3.{1700000000000000 + k}", values(inputs),
             values(one["output_desc"]), op_name=one["name"])


def model_pairs(on, off, on_dumped, off_dumped):
    """{target tensor: golden tensor}; the model's graphs are changed by it."""
    rule, unfused = rule_model.Rule(on), rule_model.Rule(off)
    kept = rule.against_unfused(unfused)
    there = {rule_model.norm(o["name"]): len(o["output_desc"]) for o in off_dumped}
    pairs = {}
    for raw in on_dumped:
        one = rule.by_name[raw["name"]]
        if one.name not in kept or rule.is_inner(one):
            continue
        ports = [("input", i) for i in range(len(one.inputs))]
        ports += [("output", i) for i in range(len(raw["output_desc"]))]
        for port, i in ports:
            found = rule.resolve(one, i, port == "input")
            if found and found[1] < there.get(found[0], 0):
                pairs[f"{one.name}:{port}:{i}"] = f"{found[0]}:output:{found[1]}"
    return pairs


def found_pairs(report):
    name = lambda side: f"{side['file'].rsplit('/', 1)[-1].split('.')[1]}:{side['tensor']}"
    return {row["name"]: name(row["golden"][0]) for row in report["rows"]}


def dumped(ops, skip=()):
    return [o for o in ops if o["type"] != "Data" and o["name"] not in skip]


def check_pairs_of_both_graphs(assay, folder, _samples):
    on, off = os.path.join(folder, "on.json"), os.path.join(folder, "off.json")
    save_graph(on, ("net", on_graph()))
    save_graph(off, ("net", off_graph()))
    save_dump(os.path.join(folder, "on"), on_graph())
    save_dump(os.path.join(folder, "off"), off_graph(), skip=("scope/conv1",))
    with open(on) as a, open(off) as b:
        expected = model_pairs(json.load(a), json.load(b), dumped(on_graph()),
                               dumped(off_graph(), ("scope/conv1",)))
    done = assay.run("compare", os.path.join(folder, "off"), os.path.join(folder, "on"), "--graph", on,
                     "--golden-graph", off, "--json")
    report = json.loads(done.stdout)
    program.expect_whole(report)
    assert done.stderr.startswith("pairing: fusion-on-off (because "), done.stderr
    assert found_pairs(report) == expected, (found_pairs(report), expected)
    assert expected["split:output:0"] == "split_off:output:1", expected
    whys = {u["name"]: u["why"] for u in report["unpaired"]}
    # ab_2 has no counterpart, so ab_1 is all that is left of its group.
    assert expected["ab_1:input:0"] == "split_off:output:1", expected
    assert whys["ab_1:output:0"] == "output 0 of ab_1 is no tensor of the framework", whys
    assert whys["bn1_infer:output:0"] == "fused away into scope/conv1bn1relu1", whys


def save_run(root, name, ops):
    """A dump tree with its graph beside it; returns its innermost folder."""
    leaf = os.path.join(root, "20240101120000", "0", "net", "1", "0")
    save_dump(leaf, ops)
    save_graph(os.path.join(root, name), ("net", ops))
    return leaf


def check_graphs_beside_the_dumps(assay, folder, _samples):
    """Nothing but paths: the graphs are found, from the root or any folder in it."""
    roots = [os.path.join(folder, side) for side in ("off", "on")]
    leaves = [save_run(roots[0], "off.json", off_graph()),
              save_run(roots[1], "pid_7_deviceid_0/ge_proto_00000012_graph_1_Build.txt.json", on_graph())]
    reports = []
    for golden, target in (roots, [root + "/20240101120000/" for root in roots], leaves):
        done = assay.run("compare", golden, target, "--json")
        assert done.stderr.startswith("pairing: fusion-on-off (because "), done.stderr
        reports.append(json.loads(done.stdout))
        program.expect_whole(reports[-1])
    assert len({json.dumps(found_pairs(report)) for report in reports}) == 1
    # Two runs of one build have the same operators: every tensor meets its own.
    report = assay.json("compare", roots[1], leaves[1], code=0)
    assert report["pairing"]["strategy"] == "npu-by-name", report["pairing"]
    assert not report["unpaired"], report["unpaired"]


def check_damaged_graph_beside_a_dump(assay, folder, _samples):
    """Nobody asked for it: said, and done without; an error if it was asked for."""
    root = os.path.join(folder, "on")
    save_run(root, "on.json", on_graph())
    path = os.path.join(root, "on.json")
    os.truncate(path, 500)
    done = assay.run("compare", root, root, code=0)
    assert f"not used: {path}: " in done.stderr, done.stderr
    assay.run("compare", root, root, "--graph", path, code=2)


def check_guilty_pass_of_two_folders(assay, folder, _samples):
    """Two runs of the device and no framework: the pass whose operator is wrong, and not the one whose is right."""
    rng = np.random.default_rng(5)
    x, names = rng.standard_normal(256).astype("f4"), ("first", "second", "third")
    on, off = [op("x", "Data", outputs=[output()])], [op("x", "Data", outputs=[output()])]
    leaves = {side: os.path.join(folder, side, "20240101120000/0/net/1/0") for side in ("on", "off")}
    last = {"on": "x:0", "off": "x:0"}
    value = {"on": x, "off": x}
    for k, name in enumerate(names):
        made = {"list": {"val_type": "VT_LIST_STRING", "s": [f"{name.title()}FusionPass"]}}
        on.append(op(f"{name}mul", "Mul", [last["on"]], [output(f"{name}/mul", 0)], [f"{name}/abs", f"{name}/mul"],
                     pass_name=made))
        off.append(op(f"{name}/abs", "Abs", [last["off"]], [output()]))
        off.append(op(f"{name}/mul", "Mul", [f"{name}/abs:0"], [output()]))
        inside = {side: np.abs(value[side]) for side in value}
        out = {side: inside[side] * np.float32(1.5) for side in value}
        if name == "second":
            out["on"] = inside["on"] + np.float32(1.5)
        save(leaves["on"], f"Mul.{name}mul.{k}.3.{1700000000000000 + k}", [value["on"]], [out["on"]])
        save(leaves["off"], f"Abs.{name}_abs.{k}.3.{1700000000000000 + k}", [value["off"]], [inside["off"]])
        save(leaves["off"], f"Mul.{name}_mul.{k}.3.{1700000000000010 + k}", [inside["off"]], [out["off"]])
        value, last = out, {"on": f"{name}mul:0", "off": f"{name}/mul:0"}
    save_graph(os.path.join(folder, "on/on.json"), ("net", on))
    save_graph(os.path.join(folder, "off/off.json"), ("net", off))
    written = os.path.join(folder, "switch.cfg")
    done = assay.run("graph", "fusion", os.path.join(folder, "on"), os.path.join(folder, "off"), "-o", written, code=1)
    assert "[1] SecondFusionPass: 1 of 1 operator it made" in done.stdout, done.stdout
    assert "against the run without" in done.stdout, done.stdout
    with open(written, encoding="utf-8") as file:
        assert json.load(file)["Switch"]["GraphFusion"] == {"SecondFusionPass": "off"}
