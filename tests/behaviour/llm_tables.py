"""assay llm compare writes the tables that msit llm compare wrote."""
import csv
import glob
import os
import shutil

import numpy as np

from dumps import safetensors

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


def expect_table(path, wanted, case):
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
        expect_table(path, f"{case}/expected_rank{rank}.csv", case)


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
    expect_table(reports(folder)[0], case + "/expected.csv", case)


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
    assert glob.glob(folder + "/msit_cmp_report_rank0_*.csv"), "the original writes it whatever -st says"
    rows = read(glob.glob(folder + "/statstics_cmp_report_rank0_*.csv")[0])
    assert list(rows[0])[6:8] == ["max_stat_absolute_error", "max_stat_relative_error"]
    worst = max(rows, key=lambda row: float(row["max_stat_absolute_error"]))
    assert "Mul_1Relu_2Add_3" in worst["my_data_path"], worst
    assert abs(float(worst["max_stat_absolute_error"]) - 0.25) < 1e-6, worst


def check_llm_other_names(assay, folder, _samples):
    for side, names in (("golden", ("conv", "relu")), ("my", ("fc", "softmax"))):
        os.makedirs(f"{folder}/{side}")
        for i, name in enumerate(names):
            np.save(f"{folder}/{side}/{name}.npy", np.ones(3 + i))
    done = assay.run("llm", "compare", "-gp", folder + "/golden", "-mp", folder + "/my", "-o", folder, code=1)
    assert "no tensor is on both sides" in done.stderr and "--map FILE" in done.stderr, done.stderr


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


def save_arrays(folder, names):
    """Two plain folders of equal arrays; the last one of 'my' is off by one."""
    for side in ("golden", "my"):
        os.makedirs(f"{folder}/{side}")
        for name in names:
            array = np.arange(6, dtype=np.float32)
            np.save(f"{folder}/{side}/{name}.npy", array + (side == "my" and name == names[-1]))


OWN = """import os, time
def largest(golden, my):
    print('noise')
    return float(abs(my - golden).max()), ''
def raises(golden, my):
    raise ValueError('no')
def hangs(golden, my):
    time.sleep(99)
def wrong(golden, my):
    return [], ''
def ends(golden, my):
    os._exit(3)
"""


def check_llm_own_metric(assay, folder, _samples):
    """What a function does wrong costs its cell, and nothing else."""
    save_arrays(folder, ("a", "b"))
    script = folder + "/own.py"
    with open(script, "w") as file:
        file.write(OWN)
    os.chmod(script, 0o600)
    names = ("largest", "raises", "hangs", "wrong", "ends")
    os.environ["ASSAY_SCRIPT_SECONDS"] = "3"
    try:
        done = llm(assay, folder + "/my", folder + "/golden", folder, "-alg",
                   *(f"{script}:{name}" for name in names))
    finally:
        del os.environ["ASSAY_SCRIPT_SECONDS"]
    rows = read(reports(folder)[0])
    assert [row["largest"] for row in rows] == ["0.0", "1.0"], rows
    assert {row[name] for row in rows for name in names[1:]} == {"NaN"}, rows
    assert rows[1]["max_absolute_error"] == "1.0", rows
    assert rows[0]["cmp_fail_reason"] == (
        "ValueError: no it took more than 3 seconds TypeError: it must return a number or text, and a "
        "message Python ended"), rows[0]["cmp_fail_reason"]
    assert "raises of" in done.stderr and "ValueError: no" in done.stderr
    done = llm(assay, folder + "/my", folder + "/golden", folder, "-alg", script + ":missing", code=1)
    assert "'missing' cannot be used" in done.stderr, done.stderr


def check_llm_own_metric_refused(assay, folder, _samples):
    save_arrays(folder, ("a",))
    script = folder + "/own.py"
    with open(script, "w") as file:
        file.write(OWN)
    os.chmod(script, 0o666)
    words = (folder + "/my", folder + "/golden", folder, "-alg", script + ":largest")
    done = llm(assay, *words, code=1)
    assert "others may write" in done.stderr, done.stderr
    os.chmod(script, 0o600)
    before, python = os.environ["PATH"], os.environ.pop("ASSAY_PYTHON")
    os.environ["PATH"] = folder
    try:
        done = llm(assay, *words, code=1)
    finally:
        os.environ.update(PATH=before, ASSAY_PYTHON=python)
    assert "need python3" in done.stderr, done.stderr


def check_llm_weights(assay, folder, _samples):
    save_arrays(folder, ("layer.weight", "layer.bias"))
    llm(assay, folder + "/my", folder + "/golden", folder, "-w")
    rows = read(reports(folder)[0])
    assert list(rows[0])[:3] == ["weight_name", "golden_dtype", "golden_shape"], list(rows[0])
    assert list(rows[0])[-1] == "relative_euclidean_distance"
    assert {row["weight_name"]: row["max_absolute_error"] for row in rows} == {
        "layer.weight": "0.0", "layer.bias": "1.0"}, rows


def save_safetensors(path, tensors):
    """tensors: name to (type's name, array); BF16 takes the upper halves of float32."""
    stored = {}
    for name, (kind, array) in tensors.items():
        bits = (array.astype("<f4").view("<u4") >> 16).astype("<u2") if kind == "BF16" else array
        stored[name] = (kind, array.shape, bits.tobytes())
    safetensors(path, stored)


def check_llm_quantised_weights(assay, folder, _samples):
    """int8 with an offset and a scale beside it is compared as torch would dequantise it."""
    rng = np.random.default_rng(3)
    golden, my, wanted = {}, {}, {}
    kinds = {"a": ("F32", "f4"), "b": ("F16", "f2"), "c": ("BF16", "f4")}
    for name, (kind, numpy) in kinds.items():
        stored = rng.integers(-128, 128, (4, 6)).astype("i1")
        offset = rng.integers(-3, 4, (4, 1)).astype(numpy)
        scale = np.exp2(rng.integers(-6, -2, (4, 1))).astype(numpy) * (1.25 if kind == "F32" else 1)
        value = (stored.astype(numpy) - offset) * scale.astype(numpy)
        key = f"layer.{name}.weight"
        golden[key] = ("F32", np.ones((4, 6), "f4"))
        my.update({key: ("I8", stored), key + "_offset": (kind, offset), key + "_scale": (kind, scale.astype(numpy))})
        wanted[key] = (f"torch.{ {'F32': 'float32', 'F16': 'float16', 'BF16': 'bfloat16'}[kind]}", value.max())
    for tensors in (golden, my):  # left alone: no int8, nothing beside it, no weight
        tensors["norm.weight"] = ("F32", np.ones(3, "f4"))
        tensors["layer.a.bias"] = ("F32", np.ones(3, "f4"))
    my["lone.weight"] = golden["lone.weight"] = ("I8", np.ones(3, "i1"))
    os.makedirs(folder + "/golden")
    os.makedirs(folder + "/my")
    parts = list(golden.items())
    save_safetensors(folder + "/golden/model-1-of-2.safetensors", dict(parts[:2]))
    save_safetensors(folder + "/golden/model-2-of-2.safetensors", dict(parts[2:]))
    save_safetensors(folder + "/my/quantised.safetensors", my)
    llm(assay, folder + "/my", folder + "/golden", folder, "-w")
    rows = read(reports(folder)[0])
    found = {row["weight_name"]: (row["my_dtype"], float(row["my_max_value"])) for row in rows}
    assert found == {key: (kind, float(largest)) for key, (kind, largest) in wanted.items()}, (found, wanted)
    assert list(found) == list(wanted), found


def check_llm_placeholders(assay, folder, _samples):
    """A row of other size is dropped, as the original does; NaN leaves cells empty."""
    save_arrays(folder, ("a", "b", "c"))
    np.save(folder + "/my/a.npy", np.zeros(5, np.float32))
    np.save(folder + "/my/b.npy", np.full(6, np.nan, np.float32))
    llm(assay, folder + "/my", folder + "/golden", folder)
    rows = read(reports(folder)[0])
    assert [os.path.basename(row["my_data_path"]) for row in rows] == ["b.npy", "c.npy"], rows
    assert rows[0]["cmp_fail_reason"] == "my_data includes NAN or inf."
    assert rows[0]["my_max_value"] == "" and rows[0]["golden_max_value"] == "5.0", rows[0]


def check_table_msit_llm(assay, folder, _samples):
    case = case_of("torchair_ge")
    path = folder + "/table.csv"
    done = assay.run("compare", case + "/golden", case + "/my", "--table", "msit-llm", "-o", path,
                     "-o", folder + "/table.xlsx", code=1)
    assert "makes the error" in done.stdout, "the report is printed beside the table"
    expect_table(path, case + "/expected.csv", case)
    with open(folder + "/table.xlsx", "rb") as file:
        assert file.read(2) == b"PK"


def check_table_teco(assay, _folder, _samples):
    data = os.path.join(DATA, "..", "metrics", "teco_compare")
    done = assay.run("compare", data + "/ort_fp16", data + "/sdaa_outputs", "--table", "teco")
    assert done.stdout.startswith("index: 0 | topoidx_00000__cast_0.npy | nan_inf: False"), done
    three = assay.run("compare", data + "/golden_fp32", data + "/sdaa_outputs", "--noise",
                      data + "/ort_fp16", "--noise-factor", 5, "--table", "teco")
    assert "*5.0=" in three.stdout, three


def check_table_msprobe(assay, folder, _samples):
    save_arrays(folder, ("Functional.linear.0.forward.input.0",
                         "Functional.linear.0.forward.output.0"))
    done = assay.run("compare", folder + "/golden", folder + "/my", "--table", "msprobe")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["NPU Name"] for row in rows] == ["Functional.linear.0.forward.input.0",
                                                 "Functional.linear.0.forward.output.0"], rows
    assert rows[0]["Cosine"] == "1.0" and rows[0]["Result"] == "pass", rows[0]
    assert rows[1]["MaxAbsErr"] == "1.0" and rows[1]["NPU max"] == "6.0", rows[1]
    assert rows[1]["Err_message"] == "[]"
    assert "unknown table" in assay.run("compare", folder, folder, "--table", "x", code=2).stderr


def save_atb(path, values):
    """A tensor as the Ascend transformer library dumps it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shape = ",".join(map(str, values.shape))
    header = (f"$Version=1.0\n$Object.Count=1\n$Object.Length={values.nbytes}\nformat=2\ndtype=0\n"
              f"dims={shape}\n$Object.data=0,{values.nbytes}\n$End=1\n")
    with open(path, "wb") as file:
        file.write(header.encode() + values.tobytes())


def check_llm_small_atb_levels(assay, folder, _samples):
    """A model of few parts: layers are right below it, modules have others below them."""
    operators = ("0_Model/0_Layer", "0_Model/0_Layer/0_Attention", "0_Model/0_Layer/0_Attention/0_Linear")
    for side in ("golden", "my"):
        for number, name in enumerate(operators):
            save_atb(f"{folder}/{side}/0_77/0/{name}/after/outtensor0.bin",
                     np.full((2, 3), number + 1, np.float32))
    for level, names in (("layer", operators[:1]), ("module", operators[1:2]), ("api", operators),
                         ("logits", operators)):
        out = f"{folder}/{level}"
        llm(assay, folder + "/my", folder + "/golden", out, "-cl", level)
        rows = read(reports(out)[0])
        assert [row["my_data_path"].split("/0_77/0/")[1].split("/after/")[0] for row in rows] == list(names), rows
    llm(assay, folder + "/my", folder + "/golden", folder)
    assert len(glob.glob(folder + "/msit_cmp_report_*.xlsx")) == 1 and not reports(folder)
    os.mkdir(folder + "/plain")
    with open(folder + "/plain/note.txt", "w") as file:
        file.write("no logits")
    done = llm(assay, folder + "/plain", folder + "/plain", folder, "-cl", "logits", code=1)
    assert "no file of logits" in done.stderr


def check_llm_atb_levels(assay, folder, _samples):
    """Layers are what most of the parts are; only outputs count, token by token, in the model's order."""
    parts = ["0_WordEmbedding", *(f"{k}_DecoderLayer" for k in range(1, 13)), "13_LmHead"]
    below = ("", "/0_RmsNorm", "/1_Attention", "/1_Attention/0_Linear", "/2_Mlp")
    for side in ("golden", "my"):
        for token in (0, 1):
            for part in parts:
                for name in below if "Layer" in part else ("",):
                    for when, tensor in (("before", "intensor0"), ("after", "outtensor0")):
                        save_atb(f"{folder}/{side}/0_77/{token}/{part}{name}/{when}/{tensor}.bin",
                                 np.ones((2, 3), np.float32))
    layers = parts[1:-1]
    wanted = {"layer": layers, "module": [layer + name for layer in layers for name in ("/1_Attention", "/2_Mlp")],
              "api": [part + name for part in parts for name in (below if "Layer" in part else ("",))]}
    for level, operators in wanted.items():
        llm(assay, folder + "/my", folder + "/golden", folder + "/" + level, "-cl", level)
        rows = read(reports(folder + "/" + level)[0])
        files = [row["my_data_path"].split("/0_77/")[1] for row in rows]
        assert files == [f"{token}/{op}/after/outtensor0.bin" for token in (0, 1) for op in operators], files
        assert [row["data_id"] for row in rows] == [str(k) for k in range(len(rows))], level


def check_llm_level_of_torchair(assay, folder, _samples):
    """Graphs know no levels."""
    case = case_of("torchair_ge")
    llm(assay, case + "/my", case + "/golden", folder, "-cl", "layer")
    expect_table(reports(folder)[0], case + "/expected.csv", case)


def check_table_msprobe_statistics(assay, _folder, _samples):
    data = os.path.join(DATA, "..", "msprobe", "statistics")
    done = assay.run("compare", data, data, "--table", "msprobe")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert rows and {row["Max diff"] for row in rows} == {"0"}, rows[:2]
    assert {row["NormRelativeErr"] for row in rows} <= {"0", "N/A"}, rows[:2]


def check_table_teco_needs_folders(assay, folder, _samples):
    save_arrays(folder, ("a",))
    done = assay.run("compare", folder + "/golden/a.npy", folder + "/my/a.npy", "--table", "teco",
                     code=2)
    assert "compares folders" in done.stderr, done.stderr
