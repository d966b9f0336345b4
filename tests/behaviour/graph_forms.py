"""One graph as JSON, as text and as .om: the comparison is the same, whatever the form."""
import json
import os

import batch_pairs
import fusion_on_off_pairs
from ascend_files import op, output, save_graph
from make_om import ENUMS, om_bytes


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def text_form(value, indent=0):
    """The text format of protobuf; null is what is not there."""
    pad, out = " " * indent, ""
    for key, entry in value.items():
        for one in entry if isinstance(entry, list) else [entry]:
            if one is None:
                continue
            if isinstance(one, dict):
                out += f"{pad}{key} {{\n{text_form(one, indent + 2)}{pad}}}\n"
            elif isinstance(one, bool):
                out += f"{pad}{key}: {str(one).lower()}\n"
            elif isinstance(one, str) and one not in ENUMS:
                out += f"{pad}{key}: {quoted(one)}\n"
            else:
                out += f"{pad}{key}: {one}\n"
    return out


def numbered(value):
    """Enums as numbers, messages without anything as null."""
    if isinstance(value, list):
        return [numbered(v) for v in value]
    if isinstance(value, dict):
        return {k: numbered(v) for k, v in value.items()} if value else None
    return ENUMS.get(value, value) if isinstance(value, str) else value


def with_nulls(model):
    """Nothing said in the ways a converter has for it."""
    changed = json.loads(json.dumps(model))
    for graph in changed["graph"]:
        for one in graph["op"]:
            one["input_desc"] = []
            one["attr"].append({"key": "shape_range", "value": None})
            for desc in one["output_desc"]:
                desc["shape"] = None
                desc["attr"].append({"key": "value_range", "value": None})
    return changed


def write_forms(folder, model):
    """{form: path}"""
    forms = {"atc.json": json.dumps(model, indent=2), "flat.json": json.dumps(model),
             "numbers.json": json.dumps(numbered(model)), "nulls.json": json.dumps(with_nulls(model)),
             "ge_proto_00000012_Build.txt": text_form(model),
             "ge_proto_000123456_graph_3_BUILD.txt": text_form(with_nulls(model)),
             "model.om": om_bytes(model), "nulls.om": om_bytes(with_nulls(model))}
    os.makedirs(folder, exist_ok=True)
    for name, content in forms.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
    return {name: os.path.join(folder, name) for name in forms}


def same_part(done, path):
    """The report without what names the file and the run."""
    report = json.loads(done.stdout)
    del report["run"]
    return json.dumps(report).replace(path, "GRAPH").replace(os.path.basename(path), "GRAPH")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def expect_same(assay, forms, words, option="--graph"):
    texts = {form: same_part(assay.run("compare", *words, option, path, "--json"), path)
             for form, path in forms.items()}
    first = texts["atc.json"]
    assert json.loads(first)["rows"], "nothing compared"
    for form, text in texts.items():
        assert text == first, form


def check_fused_network(assay, folder, _samples):
    """Fusions of every kind, on either side of the comparison."""
    at = lambda *names: os.path.join(folder, *names)
    for side in ("on", "off"):
        ops = getattr(fusion_on_off_pairs, f"{side}_graph")()
        save_graph(at(side + ".json"), ("net", ops))
        fusion_on_off_pairs.save_dump(at(side), ops)
    on = write_forms(at("forms_on"), load(at("on.json")))
    off = write_forms(at("forms_off"), load(at("off.json")))
    expect_same(assay, on, [at("off"), at("on"), "--golden-graph", at("off.json")])
    expect_same(assay, off, [at("off"), at("on"), "--graph", at("on.json")], "--golden-graph")


def check_subgraphs(assay, folder, _samples):
    """Operators of one name in the graph and in what it calls."""
    at = lambda *names: os.path.join(folder, *names)
    index = {"_parent_node_index": {"i": 0}}
    call = op("call", "PartitionedCall", ["conv:0"], [output("relu", 0)], ["relu"])
    call["subgraph_name"] = ["inner"]
    inner = [op("arg", "Data", outputs=[output()], **index),
             op("act", "Relu", ["arg:0"], [output("a_softmax", 0)], ["a_softmax"]),
             op("inner_Node_Output", "NetOutput", ["act:0"], [])]
    save_graph(at("graph.json"), ("net_a", batch_pairs.operators("a") + [call]), ("inner", inner))
    batch_pairs.write(folder)
    forms = write_forms(at("forms"), load(at("graph.json")))
    target = at("my", batch_pairs.TIME, "0", "net_a", "1", "10")
    expect_same(assay, forms, [at("golden"), target])


def check_looks(assay, folder, _samples):
    """What `assay graph` tells is the same, too."""
    save_graph(os.path.join(folder, "on.json"), ("net", fusion_on_off_pairs.on_graph()))
    model = load(os.path.join(folder, "on.json"))
    forms = write_forms(os.path.join(folder, "forms"), model)
    for words in (["ls"], ["info"], ["fusion"]):
        seen = {}
        for form, path in forms.items():
            if "null" in form or "123456" in form:
                continue  # they have more attributes
            more = ["ab_2"] if words == ["info"] else []
            told = assay.json("graph", *words, path, *more, code=0)
            text = json.dumps(told).replace(path, "GRAPH")
            for kind in ("ge-json", "ge-text", "om"):
                text = text.replace(f'"kind": "{kind}"', '"kind": ""')
            seen.setdefault(text, form)
        assert len(seen) == 1, (words, list(seen.values()))
