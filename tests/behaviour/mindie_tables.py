"""assay debug compare with the two mappings of MindIE-Torch in place of a graph."""
import csv
import json
import os

import numpy as np

from ascend_files import save

HEADER = ["Key", "cosine_similarity", "max_relative_error", "mean_relative_error", "max_absolute_error",
          "mean_absolute_error", "kl_divergence", "relative_euclidean_distance", "cmp_fail_reason"]


def node(*scopes):
    return "%9 : Float(2) = aten::op(%3), scope: " + "/".join("__module." + s for s in scopes) + " # a.py:1:0"


def write(folder, torch, runtime, tensors):
    """tensors: scope, operator of the device, golden, my."""
    os.makedirs(folder + "/map")
    for name, table in (("torch", torch), ("rt", runtime)):
        with open(f"{folder}/map/mindie_{name}_op_mapping.json", "w") as file:
            json.dump(table, file)
    for number, (scope, op, golden, my) in enumerate(tensors):
        os.makedirs(f"{folder}/golden/root.{scope}")
        np.save(f"{folder}/golden/root.{scope}/output.npy", np.array(golden, np.float32))
        save(folder + "/my", f"Op.{op}.{number}.0.{1760000000000000 + number}", [np.zeros(3, np.float32)],
             [np.array(my, np.float32)])


def compare(assay, folder, code=0):
    return assay.run("debug", "compare", "-gp", folder + "/golden", "-mp", folder + "/my", "--ops-json",
                     folder + "/map", "-o", folder, code=code)


def read(folder):
    with open(folder + "/comparison_results.csv", newline="") as file:
        return list(csv.DictReader(file))


def check_mindie_rows(assay, folder, _samples):
    """The last operator of a fusion speaks for it; a module that holds another has no row."""
    torch = [{"rt_layer": layer, "jit_node": node(*scopes)} for layer, scopes in (
        ("c", ["l", "l.conv"]), ("r", ["l", "l.relu"]), ("f", ["fc"]), ("whole", ["l"]))]
    runtime = [{"id": 3, "ge_op": "fc_1", "rt_layer": "f"}, {"id": 1, "ge_op": "c", "fusion_op": "convrelu", "rt_layer": "c"},
               {"id": 2, "ge_op": "r", "fusion_op": "convrelu", "rt_layer": "r"}, {"id": 4, "ge_op": "all", "rt_layer": "whole"}]
    write(folder, torch, runtime, [("l.relu", "convrelu", [1, 2], [1, 3]), ("fc", "fc_1", [1, 2], [1, np.nan]),
                                   ("l", "all", [1], [1])])
    compare(assay, folder)
    rows = read(folder)
    assert list(rows[0]) == HEADER, list(rows[0])
    assert [row["Key"] for row in rows] == ["l.relu", "fc"], rows
    assert rows[0]["max_absolute_error"] == "1.0" and rows[0]["cmp_fail_reason"] == "", rows[0]
    assert rows[1]["cmp_fail_reason"] == "npu_data includes NAN or inf." and rows[1]["cosine_similarity"] == "", rows[1]


def check_mindie_fx(assay, folder, _samples):
    write(folder, [{"rt_layer": "a", "fx_node": "/layer1/0/relu/relu_1"}], [{"id": 1, "ge_op": "relu_7", "rt_layer": "a"}],
          [("layer1.0.relu", "relu_7", [1, 2], [1, 2])])
    compare(assay, folder)
    assert [row["Key"] for row in read(folder)] == ["layer1.0.relu"]


def check_mindie_nothing(assay, folder, _samples):
    write(folder, [{"rt_layer": "a", "jit_node": node("x")}], [{"id": 1, "ge_op": "x", "rt_layer": "a"}],
          [("x", "x", [1, 2], [1])])
    done = compare(assay, folder, code=1)
    assert "no operator of the mapping" in done.stderr, done.stderr
    with open(folder + "/map/mindie_rt_op_mapping.json", "w") as file:
        file.write("{")
    assert "no list of operators" in compare(assay, folder, code=1).stderr
