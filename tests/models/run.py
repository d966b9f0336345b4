"""Real models of tier 1, run by ONNX Runtime: every tensor is there, however it is asked for.

usage: run.py PROGRAM [WORD]...
A model or the library that cannot be fetched is skipped, loudly; with CI=true that is a failure.
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "real"), str(HERE.parent / "behaviour")]
import models  # noqa: E402
import nets  # noqa: E402
import numpy  # noqa: E402
import onnx_files  # noqa: E402
import tiny_onnx  # noqa: E402
from program import Program  # noqa: E402

class Net:
    """One model and where its dumps go."""

    def __init__(self, assay, folder, key):
        self.assay, self.folder, self.path = assay, folder, models.path(key)
        self.taps, self.options = nets.SMALL[key]

    def dump(self, name, *words, code=0):
        out = os.path.join(self.folder, name)
        done = self.assay.run("dump", f"onnxruntime:{self.path}", "-o", out, *self.options, *words, code=code)
        with open(out + "/dump_info.json") as file:
            info = json.load(file)
        return out, info, done.stdout


def same_bytes(a, b):
    names = sorted(os.listdir(a + "/outputs"))
    assert names == sorted(os.listdir(b + "/outputs"))
    for name in names:
        with open(f"{a}/outputs/{name}", "rb") as x, open(f"{b}/outputs/{name}", "rb") as y:
            assert x.read() == y.read(), name


def check_every_tap(assay, folder):
    for key in nets.SMALL:
        net = Net(assay, folder, key)
        _, info, _ = net.dump(key)
        entries = info["node_output_info"]
        assert len(entries) == net.taps, (key, len(entries))
        assert not [e for e in entries if "error" in e], key
        assert info["assay"]["outputs_unchanged"]["equal"] is True, (key, info["assay"])
        assert info["assay"]["executor"]["facts"]["level"] == "0"


def check_against_itself(assay, folder):
    """One command; the model is the graph."""
    net = Net(assay, folder, "bert-mlm")
    source = f"onnxruntime:{net.path}"
    report = assay.json("compare", source, source, *net.options, "-o", folder + "/r.assay", code=0)
    assert report["coverage"]["pairs"] == 274 and report["counts"]["fail"] == 0
    assert report["sources"]["golden"]["source"] == source
    assert all(row["order_from"] == "graph" for row in report["rows"])


def check_batches(assay, folder):
    net = Net(assay, folder, "basic-pitch")
    whole, _, _ = net.dump("whole")
    parts, info, _ = net.dump("parts", "--max-memory", "8M")
    assert any("taps in" in note for note in info["assay"]["notes"]), info["assay"]["notes"]
    same_bytes(whole, parts)


def check_isolated(assay, folder):
    for key in ("mnist", "silero-lstm"):
        net = Net(assay, folder, key)
        whole, _, _ = net.dump(key)
        cut, info, _ = net.dump(key + "-cut", "--isolate-prefix")
        assert info["meta_info"]["extract_subgraph"] is True
        same_bytes(whole, cut)


def check_sessions_are_kept(assay, folder):
    """In one shell a cut model is loaded once, whatever it is given; other settings load it anew."""
    net = Net(assay, folder, "mnist")
    lines = [f"dump onnxruntime:{net.path} -o {folder}/{i} --isolate-prefix {more}"
             for i, more in enumerate(("--seed 1", "--seed 2", "--executor-option onnxruntime.level=1"))]
    assay.run("shell", "-c", "; ".join(lines), code=0)
    for i, words in enumerate((["--seed", "1"], ["--seed", "2"])):
        same_bytes(f"{folder}/{i}", net.dump(f"fresh{i}", *words)[0])
    notes = [json.loads(pathlib.Path(folder, str(i), "dump_info.json").read_text())["assay"]["notes"] for i in range(3)]
    loaded = ["12 of 12 cut models loaded already" in texts for texts in notes]
    assert loaded == [False, True, False], notes


def check_names_too_long(assay, folder):
    out, info, _ = Net(assay, folder, "basic-pitch").dump("out")
    assert max(len(e["node_output_name"]) for e in info["node_output_info"]) > 255
    assert max(map(len, os.listdir(out + "/outputs"))) <= 255


def check_shipped_answer(assay, folder):
    """mnist's own test data: a .pb as input."""
    net = Net(assay, folder, "mnist")
    given = models.path("mnist-input")
    out, _, _ = net.dump("out", "--input", f"Input3={given}")
    report = assay.json("compare", models.path("mnist-output"), out + "/outputs/Plus214_Output_0.npy")
    assert report["rows"][0]["metrics"]["max_abs"] < 1e-2, report["rows"][0]["metrics"]


def check_unknown_operator(assay, folder):
    path = models.path("espcn-quant")
    done = assay.run("dump", f"onnxruntime:{path}", "-o", folder + "/out", code=2)
    assert "onnx.brevitas:Quant" in done.stdout and "0 of 20 taps" in done.stdout, done.stdout
    assert "hint  --isolate-prefix gets the taps before what it refuses" in done.stdout, done.stdout


def check_before_an_unknown_operator(assay, folder):
    f = onnx_files
    nodes = [f.node("Relu", ["x"], ["a"]), f.node("Nonesuch", ["a"], ["b"], "odd"), f.node("Neg", ["b"], ["y"])]
    path = pathlib.Path(folder, "m.onnx")
    path.write_bytes(f.model(nodes, [f.value("x", f.FLOAT, [2])], [f.value("y", f.FLOAT, [2])]))
    done = assay.run("dump", f"onnxruntime:{path}", "-o", folder + "/out", "--isolate-prefix", code=2)
    assert "1 of 3 taps" in done.stdout and "Nonesuch" in done.stdout and '"odd"' in done.stdout, done.stdout


def check_operators_without_a_name_are_named(assay, folder):
    """Where the runtime says no more than a type; the tensor tells one from the other."""
    f = onnx_files
    x, y = f.value("x", f.FLOAT, [2]), f.value("y", f.FLOAT, [2])
    rows = {"one": ([f.node("Nonesuch", ["x"], ["y"], "")], "(this is Nonesuch 'y')"),
            "two": ([f.node("Nonesuch", ["x"], ["a"], ""), f.node("Nonesuch", ["a"], ["y"], "")],
                    "(one of 2 such nodes; the first is Nonesuch 'a')")}
    for name, (nodes, text) in rows.items():
        pathlib.Path(folder, name).write_bytes(f.model(nodes, [x], [y]))
        done = assay.run("dump", f"onnxruntime:{folder}/{name}", "-o", f"{folder}/{name}-out", code=2)
        assert text in done.stdout, done.stdout


def check_a_run_that_fails_costs_what_needs_it(assay, folder):
    """An index that is too large is found out when the model runs."""
    f = onnx_files
    nodes = [f.node("Relu", ["x"], ["a"]), f.node("Neg", ["a"], ["b"]), f.node("Gather", ["b", "i"], ["c"]),
             f.node("Relu", ["c"], ["d"]), f.node("Abs", ["x"], ["e"])]
    path = pathlib.Path(folder, "m.onnx")
    path.write_bytes(f.model(nodes, [f.value("x", f.FLOAT, [2])], [f.value("d", f.FLOAT, [1]), f.value("e", f.FLOAT, [2])],
                             [tiny_onnx.tensor("i", numpy.array([9]))]))
    assay.run("dump", f"onnxruntime:{path}", "-o", folder + "/out", code=2)
    entries = json.loads(pathlib.Path(folder, "out/dump_info.json").read_text())["node_output_info"]
    bad = {e["node_output_name"]: e["error"] for e in entries if "error" in e}
    assert list(bad) == ["c", "d"] and "out of data bounds" in bad["c"], bad


def check_numbers_of_types(assay, folder):
    """The runtime counts the last types in another order than ONNX; those of a few bits become bytes."""
    f = onnx_files
    values = {"u2": (25, [0, 1, 2, 3, 3]), "i2": (26, [-2, -1, 0, 1, 1]), "f8e8m0": (24, [1, 2, 4, 1, 8]),
              "u4": (21, [0, 7, 8, 15, 1]), "i4": (22, [-8, -1, 0, 7, 3])}
    for name, (number, numbers) in values.items():
        path = pathlib.Path(folder, name + ".onnx")
        path.write_bytes(f.model([f.node("Cast", ["x"], ["y"], to=number)], [f.value("x", f.FLOAT, [5])],
                                 [f.value("y", number, [5])], opset=25))
        numpy.save(folder + "/x.npy", numpy.float32(numbers))
        out = f"{folder}/{name}"
        assay.run("dump", f"onnxruntime:{path}", "-o", out, "--input", f"x={folder}/x.npy", code=0)
        text = assay.run("show", out, "y", "--json", code=0).stdout
        shown = json.loads(text)["tensors"][0]
        wide = {"u2": "u8", "i2": "i8", "u4": "u8", "i4": "i8"}.get(name, name)
        assert (shown["dtype"], shown["min"], shown["max"]) == (wide, min(numbers), max(numbers)), shown


def check_ir_lists_attributes(assay, folder):
    net = Net(assay, folder, "mnist")
    _, _, text = net.dump("out", "--taps", "Convolution28_Output_0", "--show-ir")
    last = text.splitlines()[-1]
    assert "= Conv(" in last and "Convolution28_Output_0" in last, last
    attributes = last[last.index("{") + 1:last.index("}")]
    for name in ("kernel_shape=[5,5]", "strides=[1,1]", 'auto_pad="SAME_UPPER"', "group=1", "dilations=[1,1]"):
        assert name in attributes, (name, attributes)


def check_options(assay, folder):
    net = Net(assay, folder, "mnist")
    _, info, _ = net.dump("out", "--executor-option", "onnxruntime.level=99", "--executor-option",
                          "onnxruntime.threads=1", "--executor-option", "onnxruntime.denormals=zero")
    facts = info["assay"]["executor"]["facts"]
    assert (facts["level"], facts["threads"], facts["denormals"]) == ("99", "1", "zero"), facts
    for option in ("onnxruntime.level=7", "onnxruntime.speed=9"):
        _, _, text = net.dump(option, "--executor-option", option, code=2)
        assert "0 of 12 taps" in text, text


def check_weights_beyond_two_gigabytes(assay, folder):
    """In a file with holes: a table of 2.4 GB, and behind it a bias that a 32-bit offset misses."""
    rows, row = 600, 1_000_000
    with open(folder + "/w.bin", "wb") as file:
        file.seek(4 * rows * row - 8)
        file.write(struct.pack("<4f", 1, 2, 10, 20))
    files = onnx_files
    content = files.model(
        [files.node("Gather", ["table", "x"], ["line"], "gather", axis=0),
         files.node("Slice", ["line", "from", "to", "axis"], ["end"], "slice"),
         files.node("Add", ["end", "bias"], ["y"], "add")],
        [files.value("x", 7, [1])], [files.value("y", 1, [1, 2])],
        [files.external("table", [rows, row], "w.bin", offset=0, length=4 * rows * row),
         files.external("bias", [2], "w.bin", offset=4 * rows * row, length=8),
         *(tiny_onnx.tensor(name, numpy.array([at])) for name, at in (("from", row - 2), ("to", row), ("axis", 1)))])
    with open(folder + "/big.onnx", "wb") as file:
        file.write(content)
    for words in ([], ["--isolate-prefix"]):
        out = folder + "/out" + "".join(words)
        assay.run("dump", f"onnxruntime:{folder}/big.onnx", "-o", out, "--input",
                  f"x=random,low={rows - 1},high={rows - 1}", *words, code=0)
        assert numpy.load(out + "/outputs/y.npy").tolist() == [[11, 22]], out


def library():
    done = subprocess.run([ROOT / "tools/fetch_onnxruntime"], capture_output=True, text=True)
    if done.returncode != 0:
        raise models.Missing(done.stderr.strip())
    return done.stdout.strip()


def run(name, check, assay):
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(assay, folder)
        except models.Missing as missing:
            print(f"{name}: SKIPPED: {missing}", flush=True)
            return "skipped"
        except Exception:
            print(f"{name}:\n{traceback.format_exc()}", flush=True)
            return "failed"
    print(f"{name} ({time.monotonic() - start:.1f} s)", flush=True)
    return "passed"


def main(path, *words):
    chosen = [(name[6:], check) for name, check in list(globals().items())
              if name.startswith("check_") and all(word in name for word in words)]
    try:
        os.environ["ASSAY_ORT_LIB"] = library()
    except models.Missing as missing:
        print(f"models: SKIPPED, no model was run: {missing}")
        results = ["skipped"] * len(chosen)
    else:
        results = [run(name, check, Program(path)) for name, check in chosen]
    counts = [results.count(state) for state in ("passed", "failed", "skipped")]
    print("{} passed, {} failed, {} skipped".format(*counts))
    return counts[1] > 0 or (counts[2] > 0 and os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
