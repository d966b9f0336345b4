"""assay debug compare: a device's dump and a framework's, through the graph."""
import glob
import os
import shutil

CASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "compare", "autofuse")


def compare(assay, folder, *words, code=0):
    return assay.run("debug", "compare", "-o", folder + "/out", *words, code=code)


def table(folder):
    with open(glob.glob(folder + "/out/result_*.csv")[0], "rb") as file:
        return file.read().replace(b"\r", b"")


def check_debug_roots(assay, folder, _samples):
    """Either path may be a folder above the files."""
    shutil.copytree(CASE + "/my", folder + "/npu/20250303101010/0/ge_default_20250303/1/0")
    shutil.copytree(CASE + "/golden", folder + "/cpu/run/fetched")
    with open(CASE + "/expected.csv", "rb") as file:
        wanted = file.read().replace(b"\r", b"")
    for golden, my in (("cpu", "npu"), ("cpu/run", "npu/20250303101010"), ("cpu/run/fetched", "npu")):
        done = compare(assay, folder, "-gp", f"{folder}/{golden}", "-mp", f"{folder}/{my}",
                       "--ops-json", CASE + "/graph.json")
        assert table(folder) == wanted, (golden, my, done.stderr)
        shutil.rmtree(folder + "/out")


def check_debug_several_goldens(assay, folder, _samples):
    for name in ("a", "b"):
        shutil.copytree(CASE + "/golden", f"{folder}/cpu/{name}")
    done = compare(assay, folder, "-gp", folder + "/cpu", "-mp", CASE + "/my", "--ops-json", CASE + "/graph.json", code=1)
    assert "have arrays: a, b. Give one of them." in done.stderr, done.stderr


def check_debug_nothing_compared(assay, folder, _samples):
    os.makedirs(folder + "/cpu")
    shutil.copy(CASE + "/golden/Sum.0.1741000123.npy", folder + "/cpu/other.0.1741000123.npy")
    done = compare(assay, folder, "-gp", folder + "/cpu", "-mp", CASE + "/my", "--ops-json", CASE + "/graph.json")
    assert done.stdout.startswith("No row could be compared; CompareFailReason tells why.\n"), done.stdout


def check_debug_misuse(assay, folder, _samples):
    """2 for words that argparse refuses, 1 for everything else."""
    golden, my, graph = ("-gp", CASE + "/golden"), ("-mp", CASE + "/my"), ("--ops-json", CASE + "/graph.json")
    for words, code, text in (
            ((*golden, *my, *graph, "-max", "many"), 2, "invalid int value: 'many'"),
            ((*golden, *my, *graph, "-max", "-1"), 1, "-max is to be 0 or more."),
            ((*golden, "-mp", folder + "/nowhere", *graph), 2, "argument -mp: input path:"),
            ((*golden, *my, "--ops-json", folder + "/nowhere.json"), 2, "argument --ops-json: input path:"),
            ((*golden, *my), 1, "belong together"),
            ((*golden, *my, "--ops-json", CASE + "/expected.csv"), 1, "not a graph file"),
            ((*golden, *my, *graph, "--locat", "True"), 1, "--locat would run a model on the device"),
            (("-gm", "m.onnx", "-om", "m.om"), 1, "-gm would run a model on the device")):
        done = compare(assay, folder, *words, code=code)
        assert text in done.stderr, (words, done.stderr)
        assert not glob.glob(folder + "/out/*"), words
    compare(assay, folder, *golden, *my, *graph, "--locat", "False", "--convert", "no", "-single", "0")
