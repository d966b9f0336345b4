"""`assay watch`: every tensor is there in one valid form at any time, whatever happens."""
import csv
import os
import random
import shutil
import signal
import sys
import time

import numpy as np

from dumps import ascend_dump

GRAPHS = {"dynamo_original_graph_1.txt": "name: \"g\"\n", "dynamo_optimized_graph_1.txt": "x",
          ".note.swp": "x"}


def write_tree(folder, count, rng):
    """GE and FX files by turns; {record: expected arrays}."""
    os.makedirs(folder)
    for name, text in GRAPHS.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    expected = {}
    for i in range(count):
        a = rng.standard_normal((7, 5)).astype("f4") * 10 ** (i % 5)
        b = rng.standard_normal((3,)).astype("f4")
        if i % 2:
            name = f"add_{i}-aten.add.Tensor.OUTPUT.0.202511170000000000{i:02}"
            np.save(os.path.join(folder, name + ".npy"), a)
            expected[name + "_min_max.npy"] = {"": [a.min(), a.max()]}
        else:
            name = f"Add.add_{i}.{i}.1.17000000000000{i:02}"
            with open(os.path.join(folder, name), "wb") as file:
                file.write(ascend_dump([a, b], [a + 1]))
            expected[name + "_min_max.npz"] = {
                "inputs": [[a.min(), a.max()], [b.min(), b.max()]],
                "outputs": [[(a + 1).min(), (a + 1).max()]]}
    return expected


def read_record(path):
    found = np.load(path)
    return {"": found} if path.endswith(".npy") else dict(found)


def same_records(folder, expected):
    names = set(os.listdir(folder))
    assert names == set(expected) | set(GRAPHS), names ^ (set(expected) | set(GRAPHS))
    for name, arrays in expected.items():
        found = read_record(os.path.join(folder, name))
        assert set(found) == set(arrays), name
        for key, array in arrays.items():
            assert found[key].dtype == np.float32, (name, found[key].dtype)
            np.testing.assert_array_equal(found[key], np.array(array), name)


def check_watch_once(assay, folder, samples):
    """Info files equal NumPy's, texts are untouched."""
    tree = os.path.join(folder, "dump")
    expected = write_tree(tree, 100, np.random.default_rng(1))
    done = assay.run("watch", tree, "--once", code=0)
    assert done.stdout.count("Converted: ") == 100, done.stdout
    same_records(tree, expected)
    for name, text in GRAPHS.items():
        with open(os.path.join(tree, name)) as file:
            assert file.read() == text
    assert not assay.run("watch", tree, "--once", code=0).stdout


def check_watch_of_halves(assay, folder, samples):
    """The bits of float16 as they lie: every kind of value, and lengths around a block."""
    rng = np.random.default_rng(2)
    arrays = {f"random{n}": rng.standard_normal(n).astype("f2") for n in (1, 7, 8191, 8192, 8193, 50001)}
    arrays |= {"infinite": [-np.inf, 3, np.inf], "nan": [1, np.nan, -2], "minus_nan": [1, -np.nan], "zero": [-0.0, 0.0],
               "negative": [-1, -2, -65504], "subnormal": [6e-8, -6e-8, 1e-7], "fortran": None}
    arrays["fortran"] = np.asfortranarray(rng.standard_normal((30, 50)).astype("f2"))
    for name, values in arrays.items():
        np.save(os.path.join(folder, name + ".npy"), np.asarray(values, "f2"))
    np.save(os.path.join(folder, "big_endian.npy"), np.array([1, -3, 2], ">f2"))
    assay.run("watch", folder, "--once", code=0)
    arrays["big_endian"] = [1, -3, 2]
    for name, values in arrays.items():
        found, want = np.load(os.path.join(folder, name + "_min_max.npy")), np.asarray(values, "f2")
        assert found.dtype == np.float16, (name, found.dtype)
        np.testing.assert_array_equal(found, [want.min(), want.max()], name)


def check_watch_of_shortened_names(assay, folder, samples):
    """Names that stand only in mapping.csv: the records are known by them too, on one side or on both."""
    for side in ("full", "small", "stats"):
        rng = np.random.default_rng(1)
        os.makedirs(os.path.join(folder, side))
        with open(os.path.join(folder, side, "mapping.csv"), "w") as mapping:
            for i in range(4):
                name, stored = f"Add.add_{i}.{i}.1.170000000000000{i}", str(12345678901234567890 + i)
                values = rng.standard_normal((7, 5)).astype("f4")
                if i % 2:
                    mapping.write(f"{stored},{name}\n")
                with open(os.path.join(folder, side, stored if i % 2 else name), "wb") as file:
                    file.write(ascend_dump([values], [values + 1]))
    assay.run("watch", os.path.join(folder, "small"), "--once", code=0)
    assay.run("watch", os.path.join(folder, "stats"), "--once", "--keep", "stats", code=0)
    for golden, target in (("full", "small"), ("small", "full"), ("stats", "small"), ("full", "stats")):
        report = assay.json("compare", os.path.join(folder, golden), os.path.join(folder, target), code=0)
        assert report["counts"]["pass"] == report["coverage"]["pairs"] == 8, (golden, target, report["counts"])
        assert {row["op"] for row in report["rows"]} == {f"add_{i}" for i in range(4)}, report["rows"]


JOB = """
import os, sys, time
import numpy as np
for i in range(20):
    path = os.path.join(sys.argv[1], f"x_{i}.npy")
    whole = np.full(1000, i, "f4")
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f4", "fortran_order": False, "shape": whole.shape})
        file.write(whole.tobytes()[:2000]); file.flush(); time.sleep(0.02)
        file.write(whole.tobytes()[2000:])
sys.exit(7)
"""


def check_watch_job(assay, folder, samples):
    """Half-written files wait; the job's exit code is kept."""
    tree = os.path.join(folder, "dump")
    os.makedirs(tree)
    assay.run("watch", tree, "--", sys.executable, "-c", JOB, tree, code=7)
    assert sorted(os.listdir(tree)) == sorted(f"x_{i}_min_max.npy" for i in range(20))
    for i in range(20):
        np.testing.assert_array_equal(np.load(os.path.join(tree, f"x_{i}_min_max.npy")), [i, i])


def forms(folder, names):
    """How many valid forms each tensor has."""
    there = set(os.listdir(folder))
    for name in names:
        form = 0
        if name in there:
            assert np.load(os.path.join(folder, name)).shape == (500, 100)
            form += 1
        record = name[:-4] + "_min_max.npy"
        if record in there:
            assert np.load(os.path.join(folder, record)).shape == (2,)
            form += 1
        yield name, form


def check_watch_killed(assay, folder, samples):
    """kill -9 at random moments: one valid form of each tensor, always."""
    rng = random.Random(3)
    array = np.arange(50000, dtype="f4").reshape(500, 100)
    for turn in range(int(os.environ.get("ASSAY_KILLS", "25"))):
        tree = os.path.join(folder, f"dump{turn}")
        os.makedirs(tree)
        names = [f"t{i}.npy" for i in range(40)]
        for name in names:
            np.save(os.path.join(tree, name), array)
        child = assay.start("watch", tree)
        time.sleep(rng.uniform(0, 0.06))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.read()  # the process that replaces files has ended, too
        for name, count in forms(tree, names):
            assert count == 1, (turn, name, count)
        assay.run("watch", tree, "--once", code=0)
        assert sorted(os.listdir(tree)) == sorted(n[:-4] + "_min_max.npy" for n in names)


def check_watch_of_files_opened_again(assay, folder, samples):
    """A job that opens its file for each piece may do so at the very moment it is looked at."""
    child = assay.start("watch", folder)
    path, end = os.path.join(folder, "log"), time.monotonic() + 1.5
    while time.monotonic() < end and child.poll() is None:
        with open(path, "ab") as file:
            file.write(b"x")
    assert child.poll() is None, child.returncode
    child.send_signal(signal.SIGINT)
    assert child.wait() == 0, child.returncode
    assert os.listdir(folder) == ["log"]


def check_watch_leaves(assay, folder, samples):
    """What has no record stays, with the reason; so does an overflow record."""
    tree = os.path.join(folder, "dump")
    os.makedirs(tree)
    np.save(os.path.join(tree, "empty.npy"), np.zeros((0, 3), "f4"))
    np.save(os.path.join(tree, "complex.npy"), np.zeros(3, "c8"))
    with open(os.path.join(tree, "cut.npy"), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00")
    record = "Opdebug.Node_OpDebug.1.2.1700000000000000"
    with open(os.path.join(tree, record), "wb") as file:
        file.write(ascend_dump([], [np.zeros(2048, "u1")]))
    with open(os.path.join(tree, "unknown"), "wb") as file:
        file.write(os.urandom(100))
    before = sorted(os.listdir(tree))
    done = assay.run("watch", tree, "--once", code=0)
    assert sorted(os.listdir(tree)) == before
    assert "empty.npy: it is empty" in done.stderr, done.stderr


def check_watch_compared(assay, folder, samples):
    """Records compare with records and with values; a sketch tells how far."""
    rng = np.random.default_rng(5)
    array = rng.standard_normal((64, 1000)).astype("f4")
    for side, values in (("golden", array), ("good", array.astype("f2")),
                         ("bad", array * (1 + 0.2 * rng.standard_normal(array.shape)))):
        for form in ("full", "stats", "min-max"):
            tree = os.path.join(folder, side, form)
            os.makedirs(tree)
            np.save(os.path.join(tree, "x.npy"), values.astype("f2" if side == "good" else "f4"))
            if form != "full":
                assay.run("watch", tree, "--once", "--keep", form, code=0)
    where = lambda side, form: os.path.join(folder, side, form)
    for first, second in (("stats", "stats"), ("stats", "full"), ("full", "stats")):
        row = assay.json("compare", where("golden", first), where("good", second), code=0)["rows"][0]
        assert row["evidence"] == "summary" and row["verdict"] == "pass", row
        assert 0 < row["metrics"]["rel_l2"] < 5e-4, row
        row = assay.json("compare", where("golden", first), where("bad", second), code=3)["rows"][0]
        assert 0.16 < row["metrics"]["rel_l2"] < 0.24, row
        row = assay.json("compare", where("golden", first), where("golden", second), code=0)["rows"][0]
        assert row["evidence"] == "hash" and row["verdict"] == "pass", row
    for second in ("min-max", "full", "stats"):
        row = assay.json("compare", where("golden", "min-max"), where("good", second), code=0)["rows"][0]
        assert row["verdict"] == "pass", row


def check_watch_then_llm_compare(assay, folder, samples):
    """The old table has the same pairs, with the extremes that were kept and the reason why nothing else is there."""
    whole = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/compare/torchair_ge")
    tree = shutil.copytree(whole, os.path.join(folder, "dump"))
    for side in ("golden", "my"):
        assay.run("watch", os.path.join(tree, side), "--once", code=0)
    for golden in (os.path.join(tree, "golden"), os.path.join(whole, "golden")):
        out = os.path.join(folder, golden.replace("/", "_"))
        assay.run("llm", "compare", "--my-path", os.path.join(tree, "my"), "--golden-path", golden, "--output", out,
                  code=0)
        with open(os.path.join(out, os.listdir(out)[0])) as file, open(os.path.join(whole, "expected.csv")) as want:
            rows, wanted = list(csv.DictReader(file)), list(csv.DictReader(want))
        assert len(rows) == len(wanted), (len(rows), len(wanted))
        assert all(row["my_max_value"] and "only a record" in row["cmp_fail_reason"] for row in rows), rows[0]
