"""TorchAir: the pairs that the original comparison prints, rank by rank.

expected*.csv were written by the original tool; each row is a pair. A golden
path that ends ",inputs,0,outputs,1" means output 1; a bare one means the input
that the target has at the same place.
"""
import csv
import glob
import os
import shutil

import program

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "compare")


def place(path, otherwise=""):
    """(file below its side, tensor) of a path in the table."""
    file, *words = path.split(",")
    file = file.split("/", 2)[2]  # <CASE>/golden/...
    if not words:
        return file, "" if file.endswith(".npy") else otherwise
    return file, f"{words[-2][:-1]}:{words[-1]}"


def expected(folder):
    """Pairs of two sides, and of one operator's own input and output."""
    pairs, own = set(), set()
    for name in glob.glob(os.path.join(DATA, folder, "expected*.csv")):
        with open(name, newline="") as file:
            for row in csv.DictReader(file):
                target = place(row["my_data_path"])
                pair = place(row["golden_data_path"], target[1]), target
                (own if "/my/" in row["golden_data_path"] else pairs).add(pair)
    assert pairs
    return pairs, own


def compare(assay, folder):
    path = os.path.join(DATA, folder)
    report = assay.json("compare", os.path.join(path, "golden"), os.path.join(path, "my"))
    program.expect_whole(report)
    found = {tuple((row[side][0]["file"], row[side][0]["tensor"]) for side in ("golden", "target"))
             for row in report["rows"]}
    return report, found


def check_fx(assay, _folder, _samples):
    report, found = compare(assay, "torchair_fx")
    assert report["pairing"]["strategy"] == "torchair-fx"
    pairs, own = expected("torchair_fx")
    assert pairs <= found, pairs - found
    # The original hides a row if sizes differ. The graph says that the two are
    # the same tensor, so another size is a fault.
    more = found - pairs - own
    assert {(g[0].rsplit("/", 1)[1].rsplit(".", 2)[0], t[1]) for g, t in more} == {
        ("sum_1-aten.sum.dim_IntList.OUTPUT.0", "output:0")}, more
    assert len(more) == 4, more  # two ranks, two tokens
    for row in report["rows"]:
        if row["op"] == "Sum" and row["port"] == "output":
            assert row["verdict"] == "fail" and "shape mismatch" in row["why"], row


def check_fx_reasons(assay, _folder, _samples):
    report, _ = compare(assay, "torchair_fx")
    whys = {u["name"]: u["why"] for u in report["unpaired"]}
    assert whys["Sqrt:output:0"] == "FX node 'sqrt-aten.sqrt.default' was not dumped", whys
    assert whys["MemSet_x:output:0"] == "the graph has no operator of this name", whys
    assert whys["split-aten.split.Tensor.INPUT.1"] == "'SplitD' has only 1 input", whys
    assert whys["mul-aten.mul.Tensor.OUTPUT.0"] == "inside an operator that the target fused", whys


def check_ge(assay, _folder, _samples):
    report, found = compare(assay, "torchair_ge")
    assert report["pairing"]["strategy"] == "torchair-ge"
    pairs, _ = expected("torchair_ge")
    assert found == pairs, found ^ pairs
    bad = [row for row in report["rows"] if row["verdict"] != "pass"]
    assert [(row["target"][0]["tensor"], row["step"]) for row in bad] == [("output:0", 1)], bad
    assert abs(bad[0]["metrics"]["max_abs"] - 0.25) < 1e-6


def check_opened_above_and_inside(assay, folder, _samples):
    """The folders that people name: the one above the dump, a rank, a run of it."""
    for side in ("golden", "my"):
        os.symlink(os.path.join(os.path.abspath(DATA), "torchair_fx", side), os.path.join(folder, side))
    shutil.copytree(os.path.join(folder, "my"), os.path.join(folder, "out", "msit_ge_dump"))
    rank = "worldsize2_global_rank1"
    for golden, target, rows in (("golden", "out", 60), (f"golden/{rank}", f"out/msit_ge_dump/{rank}/", 30),
                                 ("golden", f"my/{rank}/20251010083830", 30)):
        report = assay.json("compare", os.path.join(folder, golden), os.path.join(folder, target))
        program.expect_whole(report)
        assert report["pairing"]["strategy"] == "torchair-fx", (target, report["pairing"])
        assert len(report["rows"]) == rows, (target, len(report["rows"]))
        used = report["sources"]["target"]["graph"]
        assert rows == 60 or "_rank_1_" in used, used
        ranks = {row["golden"][0]["file"].split("/")[0] for row in report["rows"]
                 if "its own input" not in row["why_paired"]}
        assert golden != "golden" or rows == 60 or ranks == {rank}, ranks


def check_ge_against_itself(assay, _folder, _samples):
    """Fused alike on both sides: nothing is left over."""
    path = os.path.join(DATA, "torchair_fx", "my")
    report = assay.json("compare", path, path, code=0)
    assert report["pairing"]["strategy"] == "torchair-ge"
    assert not report["unpaired"], report["unpaired"]
