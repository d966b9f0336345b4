"""assay llm logitscmp, and llm compare -cl logits: files of one name in two folders."""
import csv
import glob
import os

import numpy as np

HEADER = ("file_name,key,token_id,cosine_similarity,kl_divergence,l1_norm,ulp_max_diff,ulp,passed,"
          "cmp_fail_reason")


def write(folder, **sides):
    for side, files in sides.items():
        os.makedirs(f"{folder}/{side}", exist_ok=True)
        for name, array in files.items():
            np.save(f"{folder}/{side}/{name}.npy", np.asarray(array, np.float32))


def read(folder):
    with open(glob.glob(folder + "/logits_cmp_res_2*.csv")[0], newline="") as file:
        text = file.read()
    assert text.startswith(HEADER + "\r\n"), text[:200]
    return {row["file_name"]: row for row in csv.DictReader(text.splitlines())}


def words(folder, *more):
    return ("llm", "logitscmp", "-gp", folder + "/golden", "-mp", folder + "/my", "-o", folder + "/out", *more)


def check_logits_numbers(assay, folder, _samples):
    golden = [[1.0, 2.0, 4.0, -3.0]]
    write(folder, golden={"a_1_0": golden, "a_1_1": golden, "a_1_2": golden},
          my={"a_1_0": golden, "a_1_1": [[1.5, 2.0, 4.25, -3.0]], "a_1_2": [[4.0, 4.0, 4.0, 4.0]]})
    assay.run(*words(folder), code=0)
    rows = read(folder + "/out")
    same, near, far = (rows[f"a_1_{i}.npy"] for i in range(3))
    assert (same["key"], same["token_id"]) == ("1", "0"), same
    assert (same["cosine_similarity"], same["l1_norm"], same["passed"]) == ("1.0", "0.0", "True"), same
    assert (same["ulp_max_diff"], same["ulp"]) == ("0.0", "0.00390625"), same
    assert near["l1_norm"] == "0.07499999999999996" and near["ulp_max_diff"] == "0.25", near
    assert near["passed"] == "False" and near["cmp_fail_reason"] == "", near
    assert far["ulp_max_diff"] == "0.0" and far["passed"] == "True", "one ulp is enough"


def check_logits_limits(assay, folder, _samples):
    write(folder, golden={"a_1_0": [1.0, 2.0, 4.0]}, my={"a_1_0": [1.1, 2.0, 4.0625]})
    assay.run(*words(folder), code=0)
    assert read(folder + "/out")["a_1_0.npy"]["passed"] == "False"
    for more in (("-cs", 0.9, "-kl", 1, "-l1", 1), ("-d", "bf16")):
        for old in glob.glob(folder + "/out/*"):
            os.remove(old)
        assay.run(*words(folder, *more), code=0)
        row = read(folder + "/out")["a_1_0.npy"]
        assert row["passed"] == ("True" if more[0] == "-cs" else "False"), (more, row)
    assert row["ulp"] == "0.03125", row
    assay.run(*words(folder, "-kl", "x"), code=1)
    assay.run(*words(folder, "-d", "int8"), code=2)


def check_logits_reasons(assay, folder, _samples):
    write(folder, golden={"a_1_0": [1, 2], "a_2_0": [1, np.nan], "a_3_0": [1], "b": [1], "g_1_0": [1]},
          my={"a_1_0": [1, 2, 3], "a_2_0": [1, 2], "a_3_0": [0], "b": [1], "m_1_0": [1]})
    assay.run(*words(folder), code=0)
    rows = read(folder + "/out")
    why = {name: row["cmp_fail_reason"] for name, row in rows.items()}
    assert why["a_1_0.npy"] == "data shape doesn't match.", why
    assert why["a_2_0.npy"] == "golden_data includes NAN or inf.", why
    assert "largest value is 0" in why["a_3_0.npy"], why
    assert why["b.npy"].startswith("parse_error:"), why
    assert why["g_1_0.npy"] == "only_in_golden_path" and why["m_1_0.npy"] == "only_in_my_path", why
    assert {row["passed"] for row in rows.values()} == {"NA"}, rows
    assert rows["a_1_0.npy"]["key"] == "1" and rows["b.npy"]["key"] == "NA", rows


def check_logits_order(assay, folder, _samples):
    names = ("x_10_0", "x_2_11", "x_2_3", "he_python_7_0", "he_cpp_12_0", "he_cpp_3_1", "odd")
    files = {name: [1, 2] for name in names}
    write(folder, golden=files, my=files)
    assay.run("llm", "compare", "-gp", folder + "/golden", "-mp", folder + "/my", "-o", folder, "-cl",
              "logits", code=0)
    rows = read(folder)
    assert [name[:-4] for name in rows] == [
        "x_2_3", "x_2_11", "x_10_0", "he_cpp_3_1", "he_cpp_12_0", "he_python_7_0", "odd"], list(rows)
    assert rows["he_cpp_12_0.npy"]["key"] == "cpp/12", rows


def check_logits_misuse(assay, folder, _samples):
    write(folder, golden={"a_1_0": [1]}, my={"a_2_0": [1]})
    done = assay.run(*words(folder), code=1)
    assert "no file of logits is in both folders" in done.stderr, done.stderr
    assay.run("llm", "logitscmp", "-gp", folder, "-mp", folder + "/none", code=1)
    assert "KEY_TOKEN" in assay.run("llm", "logitscmp", "-h", code=0).stdout
