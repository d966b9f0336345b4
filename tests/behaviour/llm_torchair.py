"""assay llm compare on small TorchAir dumps: cells that only some graphs have."""
import csv
import glob
import os

import numpy as np

from ascend_files import save

STAMP = 1760000000000000


def graph(*ops):
    """ops: (name, inputs, tags of the outputs)."""
    text = ['name: "graph_1"']
    for name, inputs, tags in ops:
        text.append(f'op {{\n  name: "{name}"\n  type: "{name}"')
        text += [f'  input: "{source}"' for source in inputs]
        for tag in tags:
            text.append('  output_desc {\n    attr {\n      key: "_fx_tensor_name"\n      value {\n'
                        f'        s: "{tag}"\n      }}\n    }}\n  }}')
        text.append("}")
    return "\n".join(text) + "\n"


class Side:
    """A dump from the device of one graph, at one rank."""

    def __init__(self, root, text):
        self.root, self.count = root, 0
        os.makedirs(root)
        with open(f"{root}/dynamo_original_graph_1_rank_0_pid_1_ts_20251010083825327878.txt", "w") as file:
            file.write(text)

    def add(self, kind, name, inputs, outputs, token=0):
        self.count += 1
        leaf = f"{self.root}/worldsize1_global_rank0/20251010083830/0/graph_1/1/{token}"
        save(leaf, f"{kind}.{name}.{self.count}.0.{STAMP + self.count}", inputs, outputs)


def values(*numbers):
    return np.array(numbers, np.float32)


def compare(assay, folder):
    assay.run("llm", "compare", "-mp", folder + "/my", "-gp", folder + "/golden", "-o", folder, code=0)
    with open(glob.glob(folder + "/msit_cmp_report_rank0_*.csv")[0], newline="") as file:
        return list(csv.DictReader(file))


def places(row, side):
    return row[side + "_data_path"].split(",", 1)[1:]


def check_llm_without_inputs(assay, folder, _samples):
    """The places pile up behind the inputs', where there are some."""
    text = graph(("Const", [], []))
    for side in ("my", "golden"):
        Side(f"{folder}/{side}", text).add("Const", "Const", [], [values(1, 2), values(3)])
    rows = compare(assay, folder)
    assert [places(row, "golden") for row in rows] == [["outputs,0"], ["outputs,0,outputs,1"]], rows
    assert [places(row, "my") for row in rows] == [["outputs,0"], ["outputs,1"]], rows


def check_llm_outer_inputs(assay, folder, _samples):
    """Places of a member that nothing is connected to count as inputs from outside."""
    text = graph(("Mul", ["x:0", "", "y:0"], []), ("Relu", ["Mul:0", "Mul:-1"], []))
    my, golden = Side(folder + "/my", text), Side(folder + "/golden", text)
    my.add("AutomaticBufferFusionOp", "MulRelu", [values(1), values(2), values(3)], [values(9)])
    golden.add("Mul", "Mul", [values(1), values(5)], [values(7)])
    golden.add("Relu", "Relu", [values(7), values(8)], [values(9)])
    rows = compare(assay, folder)
    found = [(places(row, "my")[0], row["golden_data_path"].rsplit("/", 1)[1], row["golden_max_value"])
             for row in rows]
    name = f"Mul.Mul.1.0.{STAMP + 1}"
    assert found[:2] == [("inputs,0", name + ",inputs,0", "1.0"), ("inputs,1", name + ",inputs,1", "5.0")], found
    assert [f[0] for f in found[2:]] == ["outputs,0"], found


def check_llm_member_not_dumped(assay, folder, _samples):
    """Its inputs stand for empty arrays: such a row stays if its own data are broken."""
    text = graph(("Mul", ["x:0", "y:0"], []), ("Relu", ["Mul:0"], []))
    my, golden = Side(folder + "/my", text), Side(folder + "/golden", text)
    my.add("AutomaticBufferFusionOp", "MulRelu", [values(1), values(np.nan, 2)], [values(9)])
    golden.add("Relu", "Relu", [values(7)], [values(9)])
    rows = compare(assay, folder)
    assert [places(row, "my")[0] for row in rows] == ["inputs,1", "outputs,0"], rows
    assert rows[0]["cmp_fail_reason"] == "data shape doesn't match. my_data includes NAN or inf.", rows[0]
    assert (rows[0]["golden_dtype"], rows[0]["golden_shape"]) == ("torch.float32", "[0]"), rows[0]
    assert rows[0]["my_shape"] == "[2]" and rows[0]["cosine_similarity"] == "", rows[0]


def check_llm_tokens_as_text(assay, folder, _samples):
    """Numbers are given in the order of the folders' names, as text."""
    text = graph(("Add", ["x:0"], []))
    my, golden = Side(folder + "/my", text), Side(folder + "/golden", text)
    for token in (2, 10, 1):
        for side in (my, golden):
            side.add("Add", "Add", [values(1, 2)], [], token)
    ids = {row["token_id"]: row["data_id"] for row in compare(assay, folder)}
    assert ids == {"1": "0", "10": "1", "2": "2"}, ids


def check_llm_strangers_by_file(assay, folder, _samples):
    """Operators that the graph does not have are numbered in the order of their files' names."""
    text = graph(("Add", ["x:0"], []))
    my, golden = Side(folder + "/my", text), Side(folder + "/golden", text)
    for kind in ("TransDataX", "TransData"):
        for side in (my, golden):
            side.add(kind, "trans_" + kind, [values(1, 2)], [])
    ids = {row["my_data_path"].rsplit("/", 1)[1].split(".")[0]: row["data_id"] for row in compare(assay, folder)}
    assert ids == {"TransData": "0", "TransDataX": "1"}, ids


def check_llm_names_as_they_stand(assay, folder, _samples):
    """The graph's scope/Add is not the dump's scope_Add: a fused name stops in front of it."""
    text = graph(("Mul", ["x:0"], []), ("scope/Add", ["Mul:0"], []))
    my, golden = Side(folder + "/my", text), Side(folder + "/golden", text)
    my.add("AutomaticBufferFusionOp", "Mulscope_Add", [values(1)], [values(9)])
    golden.add("Mul", "Mul", [values(1)], [values(7)])
    golden.add("Add", "scope_Add", [values(7)], [values(9)])
    rows = compare(assay, folder)
    assert [row["golden_max_value"] for row in rows] == ["1.0", "7.0"], rows
