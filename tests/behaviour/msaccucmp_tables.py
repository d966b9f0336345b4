"""The old command lines of msaccucmp and msit debug: the files that the originals wrote.

Everything called expected* came from the original tools. Cells are equal as text; the only
freedom is the sign of a zero, which the last bit of a sum decides.
"""
import csv
import filecmp
import glob
import json
import os
import shutil
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.realpath(os.path.join(HERE, "..", "data"))


def case(folder, *words):
    path = os.path.join(DATA, "compare", folder)
    return [word.replace("@", path + "/") for word in words]


def one(pattern):
    found = glob.glob(pattern)
    assert len(found) == 1, (pattern, found)
    return found[0]


def cells(text):
    return [["0.000000" if cell == "-0.000000" else cell for cell in row]
            for row in csv.reader(text.splitlines())]


def same_table(path, expected, case_path=""):
    with open(path, newline="") as file:
        text = file.read()
    with open(expected, newline="") as file:
        wanted = file.read().replace("<CASE>", case_path)
    assert text.count("\r\n") == len(text.splitlines()), "lines end with CRLF"
    for row, other in zip(cells(text), cells(wanted)):
        assert row == other, (row, other)
    assert len(cells(text)) == len(cells(wanted))


FUSION = ("msaccucmp", "compare", "-m", "@my", "-g", "@golden", "-f", "@graph.json")
TABLES = [  # folder, words, expected, exit code
    ("fusion", FUSION, "expected.csv", 2),
    ("fusion", FUSION + ("-r", "3,9,2"), "expected_range_3_9_2.csv", 0),
    ("fusion", FUSION + ("--select", "3,12,6"), "expected_select_3_12_6.csv", 0),
    ("fusion", FUSION + ("-overflow_detection",), "expected_overflow.csv", 2),
    ("fusion", FUSION + ("-alg", "0,1,MeanAbsoluteError", "-max", "10"),
     "expected_alg_0_1_6_max10.csv", 2),
    ("fusion", FUSION + ("-alg", "0", "1", "6", "--max_cmp_size=10"),
     "expected_alg_0_1_6_max10.csv", 2),
    ("npu", ("msaccucmp", "compare", "-m", "@my", "-g", "@golden"), "expected.csv", 2),
    ("quantised", FUSION + ("-q", "@quant.json"), "expected.csv", 2),
    ("quantised", ("msaccucmp", "compare", "-m", "@my_quant_npy", "-g", "@golden", "-q",
                   "@quant.json"), "expected_quant_npy.csv", 0),
]


def check_msaccucmp_tables(assay, folder, _samples):
    for i, (where, words, expected, code) in enumerate(TABLES):
        out = os.path.join(folder, str(i))
        assay.run(*case(where, *words), "-out", out, code=code)
        same_table(one(out + "/result_*.csv"), *case(where, "@" + expected))


def check_msaccucmp_table_of_compare(assay, folder, _samples):
    """--table writes the same from the new command line."""
    for where, words, table in (
            ("fusion", ("@golden", "@my", "--graph", "@graph.json"), "msaccucmp"),
            ("npu", ("@golden", "@my"), "msaccucmp"),
            ("autofuse", ("@golden", "@my", "--graph", "@graph.json"), "msit-debug")):
        out = os.path.join(folder, where + ".csv")
        assay.run("compare", *case(where, *words), "--table", table, "-o", out)
        same_table(out, *case(where, "@expected.csv"))


def check_msaccucmp_without_fusion(assay, folder, _samples):
    """A build against itself: rows by both graphs; inserted operators are known once."""
    words = case("fusion", "-m", "@my", "-g", "@my", "-f", "@graph.json", "-cf", "@graph.json")
    assay.run("msaccucmp", "compare", *words, "-out", folder, code=2)
    with open(one(folder + "/result_*.csv"), newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0].count("Address") == 2
    cosine, reason, name = (rows[0].index(column) for column in
                            ("CosineSimilarity", "CompareFailReason", "TensorIndex"))
    by_name = {row[name]: row for row in rows[1:]}
    assert by_name["add.wrong:output:0"][cosine] == "1.000000"
    assert by_name["conv1bn1relu1:input:0"][reason] == (
        'There is no "trans_TransData_0" in the fusion rule file.')
    # In one layout both sides are compared as they are stored.
    shape = rows[0].index("Shape")
    assert by_name["conv1bn1relu1:output:0"][shape] == "[1,1,6,6,16]"
    assert "trans_TransData_0:input:0" not in by_name


def check_msaccucmp_graph_as_text(assay, folder, _samples):
    words = [word.replace("graph.json", "ge_proto_00000005_Build.txt") for word in FUSION]
    assay.run(*case("fusion", *words), "-out", folder, code=2)
    same_table(one(folder + "/result_*.csv"), *case("fusion", "@expected.csv"))


def check_msaccucmp_mapping(assay, folder, _samples):
    assay.run(*case("fusion", *FUSION), "-map", "-out", folder, code=0)
    same_table(one(folder + "/mapping_*.csv"), *case("fusion", "@expected_mapping.csv"),
               case_path=os.path.join(DATA, "compare", "fusion"))


def same_files(folder, expected):
    assert sorted(os.listdir(folder)) == sorted(os.listdir(expected))
    for name in os.listdir(expected):
        assert filecmp.cmp(os.path.join(folder, name), os.path.join(expected, name), False), name


def check_msaccucmp_single_operator(assay, folder, _samples):
    for where, words in (("fusion", FUSION + ("-op", "conv1bn1relu1", "-o", "0", "-n", "5")),
                         ("npu", ("msaccucmp", "compare", "-m", "@my", "-g", "@golden", "-op",
                                  "fc_MatMul", "-n", "3"))):
        out = os.path.join(folder, where)
        done = assay.run(*case(where, *words), "-out", out, code=0)
        assert done.stdout.count("Index\t") == 2, done.stdout
        same_files(out, *case(where, "@expected_detail_output0"))


def check_msaccucmp_files(assay, folder, _samples):
    pair = case("quantised", "-m", "@my_quant_npy/fc.0.1700000003000306.npy", "-g",
                "@golden/fc.0.1700000003000005.npy")
    done = assay.run("msaccucmp", "compare", *pair, code=0)
    with open(*case("quantised", "@expected_two_npy_console.txt")) as file:
        assert done.stdout == file.read(), done.stdout
    assay.run("msaccucmp", "file_compare", *pair, "-out", folder, code=0)
    assert filecmp.cmp(one(folder + "/file_result_*.txt"),
                       *case("quantised", "@expected_file_compare.txt"), False)


def check_msaccucmp_hdf5(assay, folder, _samples):
    files = os.path.join(DATA, "hdf5")
    assay.run("msaccucmp", "compare", "-m", files + "/npu.h5", "-g", files + "/gpu.h5", "-out",
              folder, "-p", "1", code=0)
    same_table(one(folder + "/result_*.csv"), files + "/msaccucmp_compare_result.csv")
    with open(one(folder + "/result_*_filtered/filtered_result.csv")) as file:
        assert len(file.readlines()) == 2  # one row has a bad cosine
    for side, order in (("my_dump", 4), ("gold_dump", 2)):  # its tensors
        path = one(f"{folder}/result_*_filtered/{side}/AddmmBackward/{order}/output/result.npy")
        assert np.load(path).shape == (2, 4)
    assay.run("msaccucmp", "compare", "-m", files + "/loaded_npu.h5", "-g", files + "/calls_gpu.h5",
              "-out", folder + "/loaded", code=0)
    same_table(one(folder + "/loaded/result_*.csv"), files + "/msaccucmp_loaded_result.csv")
    pair = ("msaccucmp", "compare", "-m", files + "/npu.h5", "-g", files + "/gpu.h5")
    for words in (("-f", "x"), ("-op", "a"), ("-v", "1"), ("-c", files)):
        assay.run(*pair, *words, code=6)
    assay.run(*pair, "-advisor", "-out", folder, code=0)
    with open(folder + "/advisor_summary.txt") as file:
        assert file.read().startswith("Detection Type: Global Consistency\nOperator Index: 4\n")


def check_msaccucmp_hdf5_rules(assay, folder, _samples):
    """Tables that the original wrote, -max or not; a file that is not from an NPU has a heading only."""
    files = os.path.join(DATA, "hdf5")
    pair = ("msaccucmp", "compare", "-m", files + "/rules_npu.h5", "-g", files + "/rules_cpu.h5")
    for out, words in (("all", ()), ("some", ("-max", "2"))):
        assay.run(*pair, *words, "-out", f"{folder}/{out}", code=0)
        same_table(one(f"{folder}/{out}/result_*.csv"), files + "/msaccucmp_rules_result.csv")
    assay.run(*pair[:3], files + "/rules_cpu.h5", *pair[4:], "-out", folder + "/cpu", code=11)
    with open(one(folder + "/cpu/result_*.csv")) as file:
        assert len(file.readlines()) == 1


def check_msaccucmp_empty_bool(assay, folder, _samples):
    """A file keeps the type of an empty array."""
    np.save(folder + "/a.npy", np.zeros((0, 4), bool))
    assay.run("msaccucmp", "file_compare", "-m", folder + "/a.npy", "-g", folder + "/a.npy", "-out", folder, code=0)
    with open(one(folder + "/file_result_*.txt")) as file:
        assert "AccumulatedRelativeError: NaN\n" in file.read()


def check_msaccucmp_batch(assay, folder, _samples):
    """A folder of graphs: the step that is last as a text, and a file per model."""
    path = os.path.join(DATA, "compare", "fusion")
    for step in ("9", "10"):
        shutil.copytree(os.path.join(path, "my"),
                        os.path.join(folder, "dump/20240101120000/0/case_a/1", step))
    os.mkdir(folder + "/graphs")
    with open(os.path.join(path, "graph.json")) as file:
        text = file.read()
    graph = json.loads(text)
    graph["graph"][0]["name"] = "case_a"
    with open(folder + "/graphs/a.json", "w") as file:
        json.dump(graph, file)
    assay.run("msaccucmp", "compare", "-m", folder + "/dump/20240101120000", "-g", path + "/golden",
              "-f", folder + "/graphs", "-out", folder + "/out", code=2)
    same_table(one(folder + "/out/0_case_a_9_result_*.csv"), path + "/expected.csv")
    assay.run("msaccucmp", "compare", "-m", folder + "/dump", "-g", path + "/golden", "-f",
              folder + "/graphs", "-out", folder + "/out", code=3)


def convert_words(name):
    """convert_f_ND_s_20x30_o_0 -> -f ND -s 20,30 -o 0"""
    parts = name.split("_")[1:]
    words = []
    while parts:
        option, value = parts.pop(0), parts.pop(0)
        while parts and len(parts[0]) > 1 and parts[0].isupper():  # FRACTAL_Z
            value += "_" + parts.pop(0)
        if option == "f" and parts and parts[0] == "Z":
            value += "_" + parts.pop(0)
        words += ["-" + option, value.replace("x", ",") if option == "s" else value]
    return words


# What is decoded better than by the original, see tests/legacy/corrections.csv.
CORRECTED = {"fp8_all_codes", "legacy_plain_protobuf"}


def check_msaccucmp_convert(assay, folder, _samples):
    root = os.path.join(DATA, "ascend")
    count = 0
    for expected in sorted(glob.glob(root + "/expected/*/convert*")):
        sample = expected.split("/")[-2]
        if sample in CORRECTED:
            continue
        files = [f for f in glob.glob(f"{root}/bin/{sample}/*") if not f.endswith(".csv")]
        out = os.path.join(folder, str(count))
        assay.run("msaccucmp", "convert", "-d", files[0], "-out", out,
                  *convert_words(os.path.basename(expected)))
        if expected.endswith("_pt"):
            assert sorted(os.listdir(out)) == sorted(os.listdir(expected))
        else:
            same_files(out, expected)
        count += 1
    assert count > 40, count


def check_msaccucmp_convert_leftovers(assay, folder, _samples):
    """What cannot be converted is listed; msnpy gets it as it is; -t pt -f writes npy under a raw name."""
    flat, packed = "Add.add_1.12.6.1700000000000001", "Conv2D.conv1.3.7.1700000000000002"
    os.mkdir(folder + "/in")
    for sample, name in (("fp16_nd_add", flat), ("fp32_nc1hwc0", packed)):
        shutil.copy(os.path.join(DATA, "ascend/bin", sample, name), folder + "/in")
    run = lambda kind, out, code: assay.run("msaccucmp", "convert", "-d", folder + "/in", "-f", "NCHW", "-t",
                                            kind, "-out", folder + out, code=code)
    run("npy", "/npy", 22)
    with open(folder + "/npy/convert_failed_file_list.txt") as file:
        assert file.read() == f"{folder}/in/{flat},input:0,input:1,output:0\n"
    run("msnpy", "/msnpy", 22)
    slots = [f"{flat}.input.0.ND.npy", f"{flat}.input.1.ND.npy", f"{flat}.output.0.ND.npy"]
    assert set(os.listdir(folder + "/msnpy")) == {*slots, f"{packed}.output.0.NCHW.npy",
                                                  "convert_failed_file_list.txt"}
    run("pt", "/pt", 22)
    assert np.load(f"{folder}/pt/{packed}.output.0.1_3_4_5.float32.NCHW.bin").shape == (1, 3, 4, 5)


def check_msaccucmp_convert_torch(assay, folder, _samples):
    """What is written as .pt is read back with the same values."""
    sample = os.path.join(DATA, "ascend/bin/fp16_nd_add/Add.add_1.12.6.1700000000000001")
    assay.run("msaccucmp", "convert", "-d", sample, "-out", folder, "-t", "pt", code=0)
    written = folder + "/Add.add_1.12.6.1700000000000001.output.0.pt"
    arrays = os.path.join(DATA, "ascend/expected/fp16_nd_add/convert")
    report = assay.json("compare", arrays + "/Add.add_1.12.6.1700000000000001.output.0.npy", written)
    assert report["rows"][0]["golden"][0]["shape"] == report["rows"][0]["target"][0]["shape"]
    assert report["rows"][0]["metrics"]["max_abs"] == 0, report["rows"]


def check_msaccucmp_overflow(assay, folder, _samples):
    root = os.path.join(DATA, "overflow")
    assay.run("msaccucmp", "overflow", "-d", root + "/dump_dir", "-out", folder, "-n", "3", code=0)
    os.rename(one(folder + "/overflow_summary_*.txt"), folder + "/overflow_summary.txt")
    same_files(folder, root + "/expected")


def check_msit_debug(assay, folder, _samples):
    """Seed 000: leaves or roots, the graph as JSON or as a folder of graphs."""
    golden, mine, graph = case("autofuse", "@golden", "@my", "@graph.json")
    root = os.path.join(folder, "npu/20250303000000/0/model/1")
    shutil.copytree(mine, root + "/0")
    for i, words in enumerate([("-gp", golden, "-mp", mine, "--ops-json", graph),
                               ("-gp", golden, "--mp", folder + "/npu", "--ops-json", graph),
                               ("--golden-path", golden, "--my-path", mine, "--ops-json",
                                os.path.dirname(graph))]):
        out = os.path.join(folder, str(i))
        done = assay.run("debug", "compare", *words, "-o", out, code=0)
        same_table(one(out + "/result_*.csv"), *case("autofuse", "@expected.csv"))
        assert "| CosineSimilarity " in done.stdout and "Operator Index: 5" in done.stdout
        assert not os.path.exists(out + "/advisor_summary.txt")
    assay.run("debug", "compare", *words, "-o", out, "--advisor", code=0)
    assert os.path.exists(out + "/advisor_summary.txt")


def check_msit_debug_refuses(assay, _folder, _samples):
    golden, mine, graph = case("autofuse", "@golden", "@my", "@graph.json")
    done = assay.run("debug", "compare", "-gm", "m.onnx", "-om", "m.om", code=1)
    assert "would run a model on the device" in done.stderr, done.stderr
    done = assay.run("debug", "compare", "-gp", golden, "-mp", mine, code=1)
    assert "belong together" in done.stderr, done.stderr
    done = assay.run("debug", "compare", "--help", code=0)
    assert "needs hardware" in done.stdout


def misuse():
    a = case("fusion", *FUSION)
    m, g, f = a[3], a[5], a[7]
    two = ["msaccucmp", "compare", "-m", m, "-g", g]
    dump = os.path.join(m, "Exp.big_a.6.3.1700000000000106")
    array = glob.glob(g + "/big.*")[0]
    convert = ["msaccucmp", "convert", "-d", dump]
    return [
        (["msaccucmp"], 6), (["msaccucmp", "guess"], 2), (["msaccucmp", "compare"], 2),
        (["msaccucmp", "compare", "-m", m], 2), (two + ["-nothing"], 2), (two + ["-v", "3"], 2),
        (two + ["-max", "many"], 2), (["msaccucmp", "compare", "-m", "a*b", "-g", g], 2),
        (a + ["-op", "big_a", "-i", "0", "-o", "0"], 2),
        (["msaccucmp", "compare", "-m", "nowhere", "-g", g], 3), (two + ["-f", "nowhere"], 3),
        (two, 6), (two + ["-map"], 6), (two + ["-r", "1,2,1"], 6), (a + ["-r", "1,2,1", "-s", "1"], 6),
        (a + ["-r", "0,2,1"], 12), (a + ["-r", "3,2,1"], 12), (a + ["-r", "1,2"], 6),
        (a + ["-r", "1,9,99"], 12), (a + ["-s", "99"], 6), (a + ["-s", "x"], 6),
        (a + ["-r", "1,2,-1"], 6), (a + ["-r", "1,-2,1"], 6), (a + ["-alg", ","], 31),
        (a + ["-alg", ""], 6), (["msaccucmp", "convert", "-d", "nowhere,nothing"], 3),
        (["msaccucmp", "compare", "-m", array, "-g", g], 3), (["msaccucmp", "compare", "-m", m, "-g", array, "-f", f], 3),
        (["msaccucmp", "compare", "-m", m, "-g", os.path.join(DATA, "metrics/advisor"), "-f", f], 18),
        (a + ["-op", "big_a", "-r", "1,2,1"], 6), (a + ["-op", "big_a", "-map"], 6),
        (a + ["-i", "0"], 6), (a + ["-n", "5"], 6), (a + ["-ml", "10000"], 6),
        (a + ["--ignore_single_op_result"], 6), (a + ["-op", "big_a", "-n", "0"], 12),
        (a + ["-op", "big_a", "-ml", "5"], 6), (a + ["-p", "1"], 6), (a + ["-max", "-1"], 6),
        (a + ["-q", f], 6), (a + ["-cf", f], 6), (a + ["-a", "nocolon"], 6), (a + ["-a", "A:x"], 6),
        (a + ["-alg", "None"], 31), (a + ["-alg", "1", "CosineSimilarity"], 2), (a + ["-alg", "1", "2", "CosineSimilarity"], 2),
        (["msaccucmp", "compare", "-m", "", "-g", g], 6), (a + ["-alg", "0, 1"], 2),
        (["msaccucmp", "compare", "-m", dump, "-g", array], 11), (["msaccucmp", "compare", "-m", array, "-g", dump], 11),
        (["msaccucmp", "compare", "-m", "nowhere", "-g", g, "-f", f, "-op", "big_a", "-i", "x"], 3),
        (["msaccucmp", "compare", "-m", array, "-g", g, "-f", f, "-s", "x"], 6),
        (["msaccucmp", "compare", "-m", "nowhere", "-g", g, "-f", f, "-map", "-r", "a,b,c"], 6),
        (["msaccucmp", "compare", "-m", m, "-g", g, "-q", "nowhere", "-map"], 3),
        (["msaccucmp", "compare", "-m", array, "-g", array, "-f", f, "-map"], 3),
        (a + ["-s", "1", "-r", "", "-max", "-1"], 6), (a + ["-r", "1,2,1", "-s", ""], 6),
        (a + ["-op", "nobody"], 6), (a + ["-op", "relu_nodump"], 2), (a + ["-op", "big_a", "-o", "7"], 12),
        (a + ["-op", "mm_1"], 30), (["msaccucmp", "compare", "-m", g, "-g", g, "-f", f], 20),
        (["msaccucmp", "compare", "-m", os.path.dirname(m), "-g", g, "-f", g], 3),
        (two[:-2] + ["-g", g, "-f", array], 13),
        (["msaccucmp", "file_compare", "-m", dump, "-g", array, "-out", m], 24),
        (["msaccucmp", "file_compare", "-m", "no.txt", "-g", array, "-out", m], 24),
        (["msaccucmp", "file_compare", "-m", os.path.join(DATA, "codecs/object.npy"), "-g", array, "-out", m], 11),
        (["msaccucmp", "compare", "-m", array, "-g", glob.glob(g + "/conv1.*")[0]], 23),
        (["msaccucmp", "file_compare", "-m", array, "-g", array, "-out", "nowhere"], 3),
        (["msaccucmp", "file_compare", "-m", array, "-g", glob.glob(g + "/conv1.*")[0], "-out", m], 23),
        (convert + ["-o", "0"], 6), (convert + ["-s", "2,2"], 6), (convert + ["-f", "XYZ"], 6),
        (convert + ["-f", "NCHW", "-s", "4"], 23), (convert + ["-f", "NCHW", "-s", "0,4"], 23),
        (convert + ["-f", "ND", "-o", "9"], 12), (convert + ["-t", "zip"], 2),
        (convert + ["-f", "ND", "-o", "0", "-i", "0"], 2), (["msaccucmp", "convert", "-d", "no"], 3),
        (["msaccucmp", "overflow", "-d", m], 2), (["msaccucmp", "overflow", "-d", dump, "-out", m], 3),
        (["msaccucmp", "overflow", "-d", m, "-out", m, "-n", "9"], 2),
        (["mscmp_advisor", "-i", os.path.join(DATA, "metrics/advisor/missing_npudump.csv"), "-input_nodes", "a b"], 1),
        (["mscmp_advisor", "-i", f, "-input_nodes", "a b"], 24), (["mscmp_advisor", "-i", os.devnull], 24),
        (["mscmp_advisor", "-i", glob.glob(os.path.join(DATA, "metrics/advisor/*.csv"))[0], "-input_nodes",
          "a" * 1025], 33),
        (["mscmp_advisor"], 2), (["mscmp_advisor", "-i", "no.csv"], 7), (["mscmp_advisor", "-i", f], 24),
        (["mscmp_advisor", "-i", os.path.join(DATA, "metrics/advisor/missing_npudump.csv")], 33),
    ]


def check_msaccucmp_exit_codes(assay, folder, _samples):
    for words, code in misuse():
        done = subprocess.run([os.path.abspath(assay.path), *words], capture_output=True, text=True,
                              cwd=folder, timeout=60)
        assert done.returncode == code, (words, done.returncode, code, done.stderr)
    assert not os.listdir(folder), os.listdir(folder)  # nothing is left behind


def check_mscmp_advisor(assay, folder, _samples):
    table = os.path.join(DATA, "metrics/advisor/overflow_and_bad_input.csv")
    done = assay.run("mscmp_advisor", "-i", table, "-input_nodes", "data;x", "-o", folder, code=0)
    english = ("Detection Type: FP16 overflow\nOperator Index: 1\nExpert Advice: Float16 data overflow "
               "occurs. Rectify the fault and perform comparison again.\n")
    assert done.stdout == english, done.stdout
    with open(folder + "/advisor_summary.txt") as file:
        assert file.read() == english
    done = assay.run("mscmp_advisor", "-i", table, "-o", folder, "--lang", "zh", code=0)
    done_here = subprocess.run([os.path.abspath(assay.path), "mscmp_advisor", "-i", os.path.abspath(table)],
                               cwd=folder + "/..", capture_output=True, text=True, timeout=60)
    assert done_here.stdout == english, done_here
    assert not os.path.exists(folder + "/../advisor_summary.txt"), "without -o it is printed only"
    assert done.stdout == ("检测类型：FP16溢出检测\nOperator Index：1\n"
                           "专家建议：存在Float16数据溢出，请修正溢出问题，再进行比对。\n"), done.stdout


def check_mscmp_advisor_odd_lines(assay, folder, _samples):
    with open(folder + "/t.csv", "w") as file:
        file.write("\ufeffIndex,NPUDump,CosineSimilarity\n1,a,1\n2,b,0.5,moved\n3,c,1\n")
    done = assay.run("mscmp_advisor", "-i", folder + "/t.csv", code=0)
    assert "Operator Index: NA" in done.stdout, done.stdout
    assert "1 of 3 lines have more cells than the title: they are left out." in done.stderr, done.stderr


def check_msaccucmp_advisor(assay, folder, _samples):
    assay.run(*case("fusion", *FUSION), "-advisor", "-out", folder, code=2)
    with open(folder + "/advisor_summary.txt") as file:
        assert file.read().startswith("Detection Type: Global Consistency\nOperator Index: 5\n")
    with open(one(folder + "/result_*.csv")) as file:
        assert "OverFlow" in file.readline()
    done = assay.run(*case("fusion", *FUSION), "-advisor", "-s", "3", "-out", folder + "/b", code=0)
    assert "-advisor is left out" in done.stderr
    assert not os.path.exists(folder + "/b/advisor_summary.txt")


SCRIPTS = {
    "Half": "def compare(my, golden, args):\n    return str(float(my.sum()) * float(args.scale)), ''\n",
    "Raises": "def compare(my, golden, args):\n    raise ValueError('no luck')\n",
    "Hangs": "import time\ndef compare(my, golden, args):\n    time.sleep(99)\n",
    "Garbage": "def compare(my, golden, args):\n    print('x' * 100)\n    return 7\n",
    "Ends": "import os\ndef compare(my, golden, args):\n    os._exit(3)\n",
}


def check_msaccucmp_script_hangs(assay, folder, _samples):
    """One that hangs for every tensor is not waited for again and again; another has all its cells."""
    os.makedirs(folder + "/own/algorithm")
    for name in ("Half", "Hangs"):
        with open(f"{folder}/own/algorithm/alg_{name}.py", "w") as file:
            file.write(SCRIPTS[name])
    words = [*case("fusion", *FUSION), "-c", folder + "/own", "-alg", "Hangs,Half", "-a", "Half:scale=0.5", "-out", folder]
    done = subprocess.run([assay.path, *words], capture_output=True, text=True, timeout=100,
                          env={**os.environ, "ASSAY_SCRIPT_SECONDS": "1", "ASSAY_PYTHON": sys.executable})
    assert done.returncode == 2, done.stderr
    with open(one(folder + "/result_*.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    hung = [row for row in rows if "'Hangs'. it took more than 1 seconds" in row["CompareFailReason"]]
    assert len(hung) > 10 and all(row["Hangs"] == "NaN" != row["Half"] for row in hung), rows
    assert [row["CompareFailReason"].endswith("2 times before") for row in hung] == [i > 1 for i in range(len(hung))], hung


def check_msaccucmp_scripts(assay, folder, _samples):
    """A user's algorithm has a column; what one does wrong costs its cell only."""
    os.makedirs(folder + "/own/algorithm")
    for name, text in SCRIPTS.items():
        with open(f"{folder}/own/algorithm/alg_{name}.py", "w") as file:
            file.write(text)
    names = ["CosineSimilarity", *SCRIPTS]
    words = [*case("fusion", *FUSION), "-s", "12", "-c", folder + "/own", "-alg", ",".join(names), "-a",
             "Half:scale=0.5", "-out", folder + "/out"]
    done = subprocess.run([assay.path, *words], capture_output=True, text=True, timeout=100,
                          env={**os.environ, "ASSAY_SCRIPT_SECONDS": "1", "ASSAY_PYTHON": sys.executable})
    assert done.returncode == 0, done.stderr
    with open(one(folder + "/out/result_*.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4
    row = rows[0]
    assert row["CosineSimilarity"] == "1.000000" and abs(float(row["Half"]) - 191.8) < 1, row
    assert [row[name] for name in names[2:]] == ["NaN"] * 4
    assert row["CompareFailReason"] == (
        "Failed to execute 'compare' in 'Raises'. no luck,"
        "Failed to execute 'compare' in 'Hangs'. it took more than 1 seconds,"
        "Failed to execute 'compare' in 'Garbage'. cannot unpack non-iterable int object,"
        "Failed to execute 'compare' in 'Ends'. Python ended"), row["CompareFailReason"]
    done = subprocess.run([assay.path, *words], capture_output=True, text=True, timeout=100,
                          env={"PATH": "/nowhere"})
    assert done.returncode == 31 and "need python3" in done.stderr, done.stderr
