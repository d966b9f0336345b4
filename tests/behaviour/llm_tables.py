"""assay llm compare writes the tables that msit llm compare wrote."""
import csv
import glob
import os
import shutil

import numpy as np

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "compare")
# Sums of float32 differ in their last digits: torch adds in its own order. A
# divergence of nothing is what is left of roundings.
LOOSE = {"kl_divergence": 2e-6, "golden_mean_value": 1e-6, "my_mean_value": 1e-6}


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def same(column, got, wanted):
    if got == wanted:
        return True
    try:
        got, wanted = float(got), float(wanted)
    except ValueError:
        return False
    return abs(got - wanted) <= LOOSE.get(column, 0) + 1e-5 * abs(wanted)


def check_same_table(path, wanted, case):
    got, wanted = read(path), read(wanted)
    assert list(got[0]) == list(wanted[0]), list(got[0])
    assert len(got) == len(wanted), (len(got), len(wanted))
    for number, (ours, theirs) in enumerate(zip(got, wanted)):
        for column, text in theirs.items():
            text = text.replace("<CASE>", case)
            assert same(column, ours[column], text), (number, column, ours[column], text)


def case_of(name):
    return os.path.realpath(os.path.join(DATA, name))


def llm(assay, my, golden, out, *words, code=0):
    return assay.run("llm", "compare", "--my-path", my, "--golden-path", golden, "-o", out, *words,
                     code=code)


def reports(out):
    return sorted(glob.glob(os.path.join(out, "msit_cmp_report_*.csv")))


def check_llm_fx_ranks(assay, folder, _samples):
    case = case_of("torchair_fx")
    llm(assay, case + "/my", case + "/golden", folder)
    files = reports(folder)
    assert len(files) == 2, files
    for rank, path in enumerate(files):
        assert os.path.basename(path).startswith(f"msit_cmp_report_rank{rank}_2"), path
        check_same_table(path, f"{case}/expected_rank{rank}.csv", case)


def check_llm_one_rank(assay, folder, _samples):
    case = case_of("torchair_fx")
    assay.run("llm", "cc", "-mp", case + "/my", "-gp", case + "/golden", "-o", folder, "-r", 1, code=0)
    assert len(reports(folder)) == 1 and "_rank1_" in reports(folder)[0], reports(folder)
    assay.run("llm", "cc", "-mp", case + "/my", "-gp", case + "/golden", "-o", folder, "-r", 7, code=1)
    assay.run("llm", "cc", "-mp", case + "/my", "-gp", case + "/golden", "-o", folder, "-r", "x",
              code=1)


def check_llm_ge(assay, folder, _samples):
    case = case_of("torchair_ge")
    llm(assay, case + "/my", case + "/golden", folder)
    check_same_table(reports(folder)[0], case + "/expected.csv", case)


def old_layout(case, folder):
    """The same data as TorchAir 7.1.0 and older wrote it: no ranks."""
    my, golden = os.path.join(folder, "my"), os.path.join(folder, "golden")
    shutil.copytree(case + "/my/worldsize2_global_rank0", my)
    for graph in glob.glob(case + "/my/dynamo_original_graph_1_rank_0_*"):
        shutil.copy(graph, os.path.join(my, "dynamo_original_graph_1.txt"))
    for token in "01":
        shutil.copytree(f"{case}/golden/worldsize2_global_rank0/graph_1/{token}",
                        f"{golden}/data_dump/{int(token) + 1}/gm_2025101007121{token}_dump")
    return my, golden


def check_llm_old_layout(assay, folder, _samples):
    case = case_of("torchair_fx")
    my, golden = old_layout(case, folder)
    llm(assay, my, golden, folder)
    got, wanted = read(reports(folder)[0]), read(case + "/expected_rank0.csv")
    assert "rank" not in os.path.basename(reports(folder)[0])
    for column in ("token_id", "data_id", "my_shape", "cosine_similarity", "cmp_fail_reason"):
        assert [row[column] for row in got] == [row[column] for row in wanted], column


def check_llm_statistics(assay, folder, _samples):
    case = case_of("torchair_ge")
    llm(assay, case + "/my", case + "/golden", folder, "-st")
    rows = read(glob.glob(folder + "/statstics_cmp_report_rank0_*.csv")[0])
    assert list(rows[0])[6:8] == ["max_stat_absolute_error", "max_stat_relative_error"]
    worst = max(rows, key=lambda row: float(row["max_stat_absolute_error"]))
    assert "Mul_1Relu_2Add_3" in worst["my_data_path"], worst
    assert abs(float(worst["max_stat_absolute_error"]) - 0.25) < 1e-6, worst


def check_llm_two_files(assay, folder, _samples):
    golden = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.save(folder + "/golden.npy", golden)
    np.save(folder + "/my.npy", golden * 2)
    done = llm(assay, folder + "/my.npy", folder + "/golden.npy", folder + "/out")
    values = dict(line.split(": ") for line in done.stdout.splitlines()[:7])
    assert values["cosine_similarity"] == "1.0", values
    assert values["max_absolute_error"] == "11.0", values
    assert values["relative_euclidean_distance"] == "1.0", values
    assert not reports(folder + "/out")


def check_llm_misuse(assay, folder, _samples):
    assert "are required" in assay.run("llm", "compare", "-mp", folder, code=2).stderr
    llm(assay, folder + "/none", folder, folder, code=1)
    llm(assay, folder, folder, folder, "-cl", "floor", code=2)
    assert "usage" in assay.run("llm", "compare", "-h", code=0).stdout
