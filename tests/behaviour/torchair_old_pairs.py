"""TorchAir as PTA 7.1.0 writes it: no ranks, two graphs, FX folders that count from 1.

  GE  TIME/DEVICE/MODEL/MODELID/TOKEN/file, dynamo_original_graph_N*.txt at the top
  FX  data_dump/TOKEN+1/gm_TIME_dump/file, a folder per graph
The expected pairs are worked out here, by the plain rule.
"""
import glob
import os

import numpy as np

import program
from ascend_files import save

TOKENS = (0, 1, 10)
LIST = 11  # members of a list argument: number 10 is not between 1 and 2


class Op:
    """An operator of the device; `tags` are the FX outputs that its outputs hold."""

    def __init__(self, kind, name, inputs, tags, members=None):
        self.kind, self.name, self.inputs, self.tags = kind, name, inputs, tags
        self.members = members or [(name, tags)]


# Both graphs have an Add and an FX node add; what they hold differs.
GRAPHS = {
    "graph_1": [
        Op("Add", "Add", 2, ["add-aten.add.Tensor.OUTPUT.0"]),
        Op("SplitD", "SplitD", 1, ["split-aten.split.Tensor.OUTPUT.1", "split-aten.split.Tensor.OUTPUT.0"]),
        Op("AutomaticBufferFusionOp", "Mul_1Relu_2", 2, [],
           [("Mul_1", ["mul-aten.mul.Tensor.OUTPUT.0"]), ("Relu_2", ["relu-aten.relu.default.OUTPUT.0"])]),
    ],
    "graph_2": [
        Op("Add", "Add", 2, ["add-aten.add.Tensor.OUTPUT.0"]),
        Op("ConcatD", "ConcatD", LIST, ["cat-aten.cat.default.OUTPUT.0"]),
        Op("Exp", "Exp", 1, ["exp-aten.exp.default.OUTPUT.0"]),
    ],
}
ARGUMENTS = {"add": ["0", "1"], "split": ["0"], "mul": ["0", "1"], "relu": ["0"], "exp": ["0"],
             "cat": [f"0.{j}" for j in range(LIST)]}
RESULTS = {"split": 2}


def node_of(tag):
    return tag.rsplit(".OUTPUT.", 1)[0]


def nodes(ops):
    return dict.fromkeys(node_of(t) for op in ops for _, tags in op.members for t in tags)


def graph_text(name, ops):
    text = [f'name: "{name}"']
    for op in ops:
        for member, tags in op.members:
            text.append(f'op {{\n  name: "{member}"\n  type: "{op.kind}"\n  input: "x:0"')
            for tag in tags:
                text.append('  output_desc {\n    dtype: DT_FLOAT\n    attr {\n      key: "_fx_tensor_name"\n'
                            f'      value {{\n        s: "{tag}"\n      }}\n    }}\n  }}')
            text.append("}")
    return "\n".join(text) + "\n"


def value(rng):
    return rng.standard_normal((2, 3)).astype("f4")


def write_ge(root, models, tokens=TOKENS):
    rng = np.random.default_rng(1)
    os.makedirs(root)
    for number, (graph, ops) in enumerate(GRAPHS.items(), 1):
        name = f"dynamo_original_{graph}_rank_0_pid_7_ts_20251010083825327878.txt"
        with open(os.path.join(root, name), "w") as file:
            file.write(graph_text(graph, ops))
        for token in tokens:
            leaf = os.path.join(root, "20251010083830", "0", models[graph], str(number), str(token))
            for k, op in enumerate(ops):
                outputs = max(1, len(op.tags))
                save(leaf, f"{op.kind}.{op.name}.{k}.0.{1760000000000000 + 100 * token + k}",
                     [value(rng) for _ in range(op.inputs)], [value(rng) for _ in range(outputs)])


def write_fx(root, tokens=TOKENS):
    rng = np.random.default_rng(2)
    for token in tokens:
        for number, ops in enumerate(GRAPHS.values()):
            leaf = os.path.join(root, "data_dump", str(token + 1), f"gm_2025101007121{number}19{token:04}_dump")
            os.makedirs(leaf)
            for node in nodes(ops):
                short = node.split("-")[0]
                ports = [f"INPUT.{i}" for i in ARGUMENTS[short]]
                ports += [f"OUTPUT.{i}" for i in range(RESULTS.get(short, 1))]
                for port in ports:
                    np.save(os.path.join(leaf, f"{node}.{port}.20251010071211190258.npy"), value(rng))


def expected():
    """(graph, token, operator, port, index): the FX name that belongs there."""
    pairs = {}
    for number, ops in enumerate(GRAPHS.values(), 1):
        for token in TOKENS:
            for op in ops:
                first, last = op.members[0][1], op.members[-1][1]
                node = node_of(first[0])
                for i, argument in zip(range(op.inputs), ARGUMENTS[node.split("-")[0]]):
                    pairs[number, token, op.name, "input", i] = f"{node}.INPUT.{argument}"
                for i, tag in enumerate(last):
                    pairs[number, token, op.name, "output", i] = tag
    return pairs


def found(report):
    """The same; the token of a golden file is checked here."""
    pairs = {}
    for row in report["rows"]:
        target, golden = row["target"][0]["file"].split("/"), row["golden"][0]["file"].split("/")
        model_id, token, file = target[-3:]
        number, folder, name = golden[-3:]
        assert int(number) == int(token) + 1, (golden, target)
        assert folder.startswith(f"gm_2025101007121{int(model_id) - 1}"), (golden, target)
        pairs[int(model_id), int(token), file.split(".")[1], row["port"], row["index"]] = name.rsplit(".", 2)[0]
    return pairs


def check_two_graphs_of_7_1_0(assay, folder, _samples):
    fx = os.path.join(folder, "msit_fx_dump")
    write_fx(fx)
    # Folders may be called like the graphs, or all alike.
    for case, models in enumerate(({"graph_1": "graph_1", "graph_2": "graph_2"},
                                   {"graph_1": "graph_1_1", "graph_2": "graph_2_2"},
                                   {"graph_1": "net", "graph_2": "net"})):
        ge = os.path.join(folder, f"msit_ge_dump{case}")
        write_ge(ge, models)
        for golden, target in ((fx, ge), (fx + "/data_dump/", ge + "/")):
            report = assay.json("compare", golden, target)
            program.expect_whole(report)
            assert report["pairing"]["strategy"] == "torchair-fx", report["pairing"]
            assert found(report) == expected(), (models, set(found(report).items()) ^ set(expected().items()))
            assert not report["coverage"]["target"]["unpaired"], report["unpaired"]


def check_token_of_one_side(assay, folder, _samples):
    fx, ge = os.path.join(folder, "fx"), os.path.join(folder, "ge")
    write_fx(fx, (0, 1))
    write_ge(ge, {name: name for name in GRAPHS}, (1, 2))
    report = assay.json("compare", fx, ge)
    program.expect_whole(report)
    assert {row["step"] for row in report["rows"]} == {1}, report["rows"]
    whys = {(u["side"], u["why"]) for u in report["unpaired"]}
    assert ("target", "the golden has no step 2 of this graph") in whys and ("golden", "the target has no step 0") in whys, whys


def check_graph_without_fx_data(assay, folder, _samples):
    """A folder without files leaves its graph alone; the other graph keeps its own data."""
    ge, rows = os.path.join(folder, "ge"), expected()
    write_ge(ge, {name: name + "_1" for name in GRAPHS})
    for empty in (1, 2):
        fx = os.path.join(folder, f"fx{empty}")
        write_fx(fx)
        for name in glob.glob(f"{fx}/data_dump/*/gm_2025101007121{empty - 1}19*/*.npy"):
            os.remove(name)
        report = assay.json("compare", fx, ge)
        program.expect_whole(report)
        assert found(report) == {key: name for key, name in rows.items() if key[0] != empty}, empty
        out = os.path.join(folder, f"out{empty}")
        assay.run("llm", "compare", "-mp", ge, "-gp", fx, "-o", out, code=0)
        tables = [open(name).read().count("\n") - 1 for name in sorted(glob.glob(out + "/*.csv"))]
        assert len(tables) == 2 and tables[empty - 1] == 0 < tables[2 - empty], tables
