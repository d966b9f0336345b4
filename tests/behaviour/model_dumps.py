"""`assay dump`: inputs, taps, names, and executors that misbehave."""
import json
import os
import pathlib
import sys

import numpy as np

import onnx_files
import program

HERE = os.path.dirname(os.path.abspath(__file__))
EXECUTOR = os.path.join(HERE, "executors", "numpy_net.py")
os.environ["ASSAY_PYTHON"] = sys.executable  # it has NumPy
TAPS = ["a", "net/b", "c", "d", "e"]


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def dump(assay, folder, *words, out="out", code=0, content=None, **options):
    path = write(folder, "m.onnx", content or onnx_files.chain())
    more = [w for k, v in options.items() for w in ("--executor-option", f"numpy_net.{k}={v}")]
    target = os.path.join(folder, out)
    done = assay.run("dump", f"{EXECUTOR}:{path}", "-o", target, *words, *more, code=code)
    return Dumped(target, done)


class Dumped:
    def __init__(self, folder, done):
        self.folder, self.done = folder, done
        with open(os.path.join(folder, "dump_info.json")) as file:
            self.info = json.load(file)

    def __getitem__(self, name):
        return next(e for e in self.info["node_output_info"] if e["node_output_name"] == name)

    def array(self, name):
        return np.load(os.path.join(self.folder, self[name]["file"]))

    def errors(self):
        return {e["node_output_name"]: e for e in self.info["node_output_info"] if "error" in e}

    def names(self):
        return [e["node_output_name"] for e in self.info["node_output_info"]]


def check_all_taps(assay, folder, _):
    d = dump(assay, folder)
    assert d.names() == TAPS, d.names()
    x = np.random.default_rng(42).uniform(0, 1, (2, 3)).astype("f4")
    assert np.array_equal(np.load(d.folder + "/inputs/x.npy"), x)
    b = x + np.float32(0.5)
    assert np.array_equal(d.array("net/b"), b)
    info = d["net/b"]["tensor_info"]
    assert info["dtype"] == "float32" and info["shape"] == [2, 3] and not info["has_nan"], info
    assert np.isclose(info["mean"], b.mean(dtype="f8")) and np.isclose(info["median"], np.median(b))
    assert (info["min"], info["max"]) == (float(b.min()), float(b.max()))
    assert d["c"]["node_type"] == "Split" and d["e"]["node_input_name"] == ["d"]
    meta = d.info["meta_info"]
    assert meta["default_seed"] == 42 and meta["output_names"] == ["e", "c"], meta
    assert meta["node_output_names"] == TAPS
    block = d.info["assay"]
    assert block["complete"] and block["schema"] == "assay.dump/1"
    assert block["outputs_unchanged"] == {"equal": True}, block
    assert sorted(os.listdir(d.folder)) == ["dump_info.json", "inputs", "outputs"]
    assert len(os.listdir(d.folder + "/outputs")) == 5
    report = assay.json("compare", d.folder, d.folder, code=0)
    program.expect_whole(report)
    assert [r["name"] for r in report["rows"]] == TAPS
    assert report["sources"]["golden"]["kind"] == "model-dump"


def check_looking_changed_it(assay, folder, _):
    d = dump(assay, folder, shift="1e-3")
    unchanged = d.info["assay"]["outputs_unchanged"]
    assert unchanged["equal"] is False and 0.9e-3 < unchanged["max_abs"] < 1.1e-3, unchanged
    assert "outputs unchanged by looking: no" in d.done.stdout


def check_constant_among_the_outputs(assay, folder, _):
    """It is no tap, and looking cannot change it."""
    f = onnx_files
    nodes = [f.node("Add", ["x", "one"], ["n0"]), f.node("Constant", [], ["k"], value=f.initializer("", [1]))]
    content = f.model(nodes, [f.value("x", f.FLOAT, [2, 3])], [f.value("n0", f.FLOAT, [2, 3]), f.value("k", f.FLOAT, [1])],
                      [f.initializer("one", [1])])
    for i, words in enumerate(([], ["--isolate-prefix"])):
        d = dump(assay, folder, *words, out=f"c{i}", content=content)
        assert d.names() == ["n0"] and d.info["assay"]["outputs_unchanged"] == {"equal": True}, d.info["assay"]


def check_trouble_costs_one_tap(assay, folder, _):
    for option, what in (("die", "died of signal 11"), ("garbage", "no answer"),
                         ("shape", "the model says"), ("lie", "its file has"),
                         ("silent", "done without it"), ("nofile", "says it wrote its file")):
        d = dump(assay, folder, out=option, code=2, **{option: "e"})
        errors = d.errors()
        assert list(errors) == ["e"], (option, errors)
        assert what in errors["e"]["error"], errors
        assert "computing e" in errors["e"]["error_hint"], errors
        assert np.array_equal(d.array("d"), -dumped_e(assay, folder)), option


def dumped_e(assay, folder):
    if not os.path.exists(os.path.join(folder, "good")):
        dump(assay, folder, out="good")
    return np.load(os.path.join(folder, "good", "outputs", "e.npy"))


def check_tap_in_the_middle(assay, folder, _):
    """The others come from runs of cut models; nothing else is lost."""
    d = dump(assay, folder, code=2, die="net/b")
    assert list(d.errors()) == ["net/b"], d.errors()


def check_shape_that_does_not_follow(assay, folder, _):
    """The model tells no shape of it, but its operators do."""
    d = dump(assay, folder, code=2, content=onnx_files.long_chain(5), shape="n2")
    assert list(d.errors()) == ["n2"], d.errors()
    assert d["n2"]["error"] == "its shape is [6], with these inputs it is [2,3]", d["n2"]


def check_tap_in_a_long_model(assay, folder, _):
    """Halving takes many runs that bring nothing: that is no reason to give up."""
    for name in ("n0", "n150"):
        d = dump(assay, folder, out=name, code=2, content=onnx_files.long_chain(300), die=name)
        assert list(d.errors()) == [name], list(d.errors())
        assert len(d.names()) == 300 and d.info["assay"]["outputs_unchanged"] == {"equal": True}


def check_death_half_way(assay, folder, _):
    """It dies at the third tap of every run: further runs bring the rest."""
    d = dump(assay, folder, half="2")
    assert d.names() == TAPS and not d.errors(), d.errors()
    assert d.info["assay"]["outputs_unchanged"]["equal"] is True, d.info["assay"]
    d = dump(assay, folder, out="at-once", code=2, half="0")
    assert set(d.errors()) == set(TAPS)
    assert all("signal 11" in e["error"] for e in d.errors().values())


def check_hang(assay, folder, _):
    """It costs the tap at which it was silent; one that always hangs is given up soon."""
    for i, words in enumerate(([], ["--isolate-prefix"])):
        # Importing NumPy must not take that long.
        d = dump(assay, folder, "--time-limit", 5, *words, out=f"h{i}", code=2, hang="c")
        assert list(d.errors()) == ["c"], d.errors()
        assert "silent for 5 seconds" in d["c"]["error"] and "computing c" in d["c"]["error_hint"], d["c"]
        d = dump(assay, folder, "--time-limit", 1, *words, out=f"always{i}", code=2, asleep="1")
        assert set(d.errors()) == set(TAPS)


def check_cannot_run(assay, folder, _):
    d = dump(assay, folder, code=2, missing="1")
    assert set(d.errors()) == set(TAPS)
    assert d["a"]["error"] == "No module named 'sdaa'"
    report = assay.json("compare", f"{EXECUTOR}:{folder}/m.onnx", f"{EXECUTOR}:{folder}/m.onnx",
                        "--executor-option", "numpy_net.missing=1", code=2)
    program.expect_whole(report)
    assert report["counts"]["error"] == 5, report["counts"]


def check_slips(assay, folder, _):
    """An option for another executor, no executor, and what an executor inside says beyond the first line."""
    path = write(folder, "m.onnx", onnx_files.chain())
    rows = [(f"{EXECUTOR}:{path}", "numpy.die=e", "hint  they are "),
            (path, "numpy_net.die=e", "which executor is to run '"),
            (f"onnxruntime:{path}", "onnxruntime.levle=1", "did you mean 'level'?"),
            (f"onnxruntime:{path}", "onnxruntime.lib=/no/such", "in    /no/such")]
    for source, option, text in rows:
        done = assay.run("dump", source, "-o", folder + "/slip", "--force", "--executor-option", option, code=2)
        assert text in done.stdout + done.stderr, (done.stdout, done.stderr)
        assert "outputs unchanged" not in done.stdout, done.stdout
    for target, hint in ((f"onnxruntime:{path}", "they are onnxruntime, onnxruntime"), (path, "they are onnxruntime")):
        done = assay.run("compare", f"onnxruntime:{path}", target, "--executor-option", "openvno.precision=f16", code=2)
        assert "'openvno.precision=f16' is for none of the executors here" in done.stderr and hint in done.stderr, done


def check_choosing(assay, folder, _):
    rows = {"all": TAPS, "0": ["a"], "a,d": ["a", "d"], "1..3": ["net/b", "c", "d"],
            "..1": ["a", "net/b"], "d..": ["d", "e"], "0..4/3": ["a", "d", "e"],
            "net/b..d/2": ["net/b", "d"], "2..2": ["c"], "=c,=d": ["c", "d"], "=net/b..=d/2": ["net/b", "d"]}
    for i, (taps, names) in enumerate(rows.items()):
        assert dump(assay, folder, "--taps", taps, out=f"t{i}").names() == names, taps
    assert dump(assay, folder, "--types", "Relu,Neg", out="ty").names() == ["a", "e"]
    assert dump(assay, folder, "--taps-regex", "^[cd]$", out="re").names() == ["c", "d"]
    path = write(folder, "m.onnx", onnx_files.chain())
    for taps in ("7", "nope", "3..1", "0..4/0"):
        done = assay.run("dump", f"{EXECUTOR}:{path}", "-o", folder + "/no", "--taps", taps, code=2)
        assert "hint" in done.stderr or "step" in done.stderr, done.stderr
        assert not os.path.exists(folder + "/no")


def check_odd_names(assay, folder, _):
    """Names that look like numbers, lists and ranges."""
    names = ["1", "a,b", "a..b", "x,y,z", "n/2"]
    nodes = [onnx_files.node("Relu", [below], [name]) for below, name in zip(["x", *names], names)]
    content = onnx_files.model(nodes, [onnx_files.value("x", 1, [2, 3])], [onnx_files.value("x,y,z", 1, [2, 3])])
    rows = {"=1": ["1"], "1": ["a,b"], "a,b": ["a,b"], "=1,a,b": ["1", "a,b"], "=a..b,=1": ["1", "a..b"],
            "=1,=x,y,z": ["1", "x,y,z"], "=1..=a..b": ["1", "a,b", "a..b"],
            "=a..b..": ["a..b", "x,y,z", "n/2"], "a,b..=x,y,z,=1": ["1", "a,b", "a..b", "x,y,z"],
            "=a..b..n/2": ["a..b", "x,y,z", "n/2"], "..n/2/3": ["1", "x,y,z", "n/2"]}
    for i, (taps, want) in enumerate(rows.items()):
        d = dump(assay, folder, "--taps", taps, out=f"o{i}", code=2, content=content, missing="1")
        assert d.names() == want, (taps, d.names())


def check_names(assay, folder, _):
    files = lambda kind: sorted(os.listdir(dump(assay, folder, "--names", kind, out=kind).folder + "/outputs"))
    assert files("plain") == ["a.npy", "c.npy", "d.npy", "e.npy", "net%2Fb.npy"]
    assert files("topoidx")[:2] == ["topoidx_00000__a.npy", "topoidx_00001__net%2Fb.npy"]
    msit = files("msit")
    assert [f.split(".")[:2] for f in msit] == [["Split_2", "0"], ["Split_2", "1"], ["add", "0"], ["neg", "0"], ["relu", "0"]], msit
    ascend = files("ascend")
    assert ascend[0].startswith("Add.add.1.0.") and ascend[0].endswith(".output.0.npy"), ascend
    for kind in ("topoidx", "msit", "ascend"):
        report = assay.json("compare", folder + "/plain", folder + "/" + kind, code=0)
        assert report["counts"]["pass"] == 5, (kind, report["counts"])


def check_formats(assay, folder, _):
    for kind in ("npz", "safetensors"):
        d = dump(assay, folder, "--to", kind, out=kind)
        assert os.listdir(d.folder + "/outputs") == [f"outputs.{kind}"]
        report = assay.json("compare", d.folder, dump(assay, folder, out="npy-" + kind).folder, code=0)
        assert report["counts"]["pass"] == 5, report
    assert np.array_equal(np.load(folder + "/npz/outputs/outputs.npz")["e"], dumped_e(assay, folder))


def check_isolated(assay, folder, _):
    d = dump(assay, folder, "--isolate-prefix", die="c", code=2)
    assert d.info["meta_info"]["extract_subgraph"] is True
    assert list(d.errors()) == ["c"], d.errors()
    assert not os.path.exists(d.folder + "/.cut")
    half = dump(assay, folder, "--isolate-prefix", out="half", code=2, half="2")
    assert list(half.errors()) == ["c"], half.errors()  # blamed: it was at work when the process died
    whole = dump(assay, folder, "--isolate-prefix", out="whole")
    assert not whole.errors()
    assert whole.info["assay"]["outputs_unchanged"] == {"equal": True}, whole.info["assay"]
    assert "5 taps of 4 cut models" in whole.info["assay"]["notes"], whole.info["assay"]  # c and d are one node's


def check_random_inputs(assay, folder, _):
    """Ten seeds, all types: the bytes of NumPy."""
    types = onnx_files.TYPES
    content = onnx_files.model(
        [onnx_files.node("Identity", [types[0][0]], ["y"])],
        [onnx_files.value(name, number, [1000]) for name, number, _ in types],
        [onnx_files.value("y", 1, [1000])])
    for seed in range(10):
        d = dump(assay, folder, "--seed", seed, out=f"s{seed}", code=2, content=content, missing="1")
        for name, _, dtype in types:
            rng = np.random.default_rng(seed)
            want = (rng.uniform(0, 1, 1000).astype(dtype) if dtype.startswith("float") else
                    rng.integers(0, 1 if dtype == "bool" else 100, 1000, dtype=dtype, endpoint=True))
            got = np.load(f"{d.folder}/inputs/{name}.npy")
            assert got.dtype == want.dtype and np.array_equal(got, want), (seed, name)


def check_given_inputs(assay, folder, _):
    x = np.arange(6, dtype="f4").reshape(2, 3) - 3
    np.save(folder + "/x.npy", x)
    np.savez(folder + "/x.npz", x=x, other=x + 1)
    x.tofile(folder + "/x.bin")
    want = dump(assay, folder, "--input", f"x={folder}/x.npy").array("net/b")
    assert np.array_equal(want, np.maximum(x, 0) + np.float32(0.5))
    for i, words in enumerate((("--input", f"x={folder}/x.npz"), ("--input", f"x={folder}/x.bin"),
                               ("--inputs-from", f"{folder}/x.npz"))):
        got = dump(assay, folder, *words, out=f"g{i}").array("net/b")
        assert np.array_equal(got, want), words
    ranged = dump(assay, folder, "--input", "x=random,seed=21,low=-1,high=0", out="ranged")
    entry = ranged.info["input_info"][0]
    assert (entry["seed"], entry["low"], entry["high"], entry["use_external"]) == (21, -1, 0, False)
    again = dump(assay, folder, "--inputs-from", ranged.folder, out="again")
    assert np.array_equal(again.array("e"), ranged.array("e"))
    os.remove(ranged.folder + "/inputs/x.npy")  # then it is drawn again
    anew = dump(assay, folder, "--inputs-from", ranged.folder + "/dump_info.json", out="anew")
    assert np.array_equal(anew.array("e"), ranged.array("e"))
    np.save(folder + "/wide.npy", x.astype("f8"))
    done = assay.run("dump", f"{EXECUTOR}:{folder}/m.onnx", "-o", folder + "/no", "--input",
                     f"x={folder}/wide.npy", code=2)
    assert "input 'x' is f32[2,3]" in done.stderr and "f64[2,3]" in done.stderr, done.stderr


def check_open_dimensions(assay, folder, _):
    content = onnx_files.chain(("n", 3))
    write(folder, "m.onnx", content)
    run = lambda *words: assay.run("dump", f"{EXECUTOR}:{folder}/m.onnx", "-o", folder + "/no", *words, code=2).stderr
    assert "input 'x' f32[n,3] has an open dimension 'n'" in run()
    assert "no input has an open dimension 'm'" in run("--dim", "m=2")
    for size in (10**11, 2**62):
        assert f"[{size},3] is more than the memory holds" in run("--dim", f"n={size}"), size
    assert dump(assay, folder, "--dim", "n=4", content=content).array("a").shape == (4, 3)
    assert dump(assay, folder, "--dim", "x:0=4", content=content, out="by-place").array("a").shape == (4, 3)


def check_ir(assay, folder, _):
    d = dump(assay, folder, "--show-ir", "--taps", "a")
    assert d.done.stdout == "fn (%x) {\n  relu(%x)\n}\n", d.done.stdout
    bad = dump(assay, folder, "--show-ir", "--taps", "a", out="bad", code=2, die="a")
    assert "error  a: the executor died of signal 11" in bad.done.stderr, bad.done.stderr


def check_the_terminal_is_not_painted(assay, folder, _):
    for i, words in enumerate(([], ["--show-ir"])):
        text = dump(assay, folder, *words, "--taps", "a", out=f"p{i}", paint="1").done.stdout
        assert "\x1b" not in text and "\\x1b[31m" in text and "\n" in text, text


def check_nothing_is_overwritten(assay, folder, _):
    first = dump(assay, folder)
    run = lambda *words, code: assay.run("dump", f"{EXECUTOR}:{folder}/m.onnx", "-o", first.folder, *words, code=code)
    assert "is not empty" in run(code=2).stderr
    run("--force", "--taps", "a", code=0)
    assert os.listdir(first.folder + "/outputs") == ["a.npy"]
    slip = run("--force", "--executor-option", "numpy_net.missing=1", code=2)
    assert "the earlier dump stays" in slip.stdout, slip
    assert sorted(os.listdir(first.folder)) == ["dump_info.json", "inputs", "outputs"], os.listdir(first.folder)
    assert os.listdir(first.folder + "/outputs") == ["a.npy"]
    write(folder, "precious.txt", b"mine")
    assert "no earlier dump" in assay.run("dump", f"{EXECUTOR}:{folder}/m.onnx", "-o", folder, "--force", code=2).stderr


def check_bad_models(assay, folder, _):
    f = onnx_files
    relu = f.node("Relu", ["x"], ["y"], "relu")
    x, y = f.value("x", f.FLOAT, [2]), f.value("y", f.FLOAT, [2])
    good = f.model([relu], [x], [y])
    os.mkdir(folder + "/sub")
    write(folder, "secret.bin", b"\0" * 8)
    write(folder + "/sub", "w.bin", b"\0" * 4)
    os.symlink("../secret.bin", folder + "/sub/link.bin")
    weight = lambda *place, **more: f.model(
        [f.node("Add", ["x", "w"], ["y"], "add")], [x], [y], [f.external("w", [2], *place, **more)])
    rows = {
        "cut": (good[:40], "longer than what it is in"),
        "empty": (b"", "the file is empty"),
        "cycle": (f.model([f.node("Add", ["x", "b"], ["a"], "one"), f.node("Neg", ["a"], ["b"], "two")], [x], [y]),
                  "Add 'one' waits for its own output by its input 'b'"),
        "behind": (f.model([f.node("Neg", ["b"], ["y"], "behind"), f.node("Add", ["x", "b"], ["a"], "one"),
                            f.node("Neg", ["a"], ["b"], "two")], [x], [y]), "Neg 'two' waits for its own output"),
        "nobody": (f.model([f.node("Neg", ["z"], ["y"], "neg")], [x], [y]), "Neg 'neg' needs 'z', which nothing makes"),
        "words": (f.model([relu], [f.value("x", 8, [2])], [y]), "input 'x' is string[2]: such values cannot be given"),
        "few bits": (f.model([relu], [f.value("x", 22, [2])], [y]), "input 'x' is i4[2]: such values cannot be given"),
        "above": (weight("../secret.bin"), "external_data.location '../secret.bin' leaves the model's folder"),
        "absolute": (weight("/etc/passwd"), "absolute.onnx, tensor w, for Add 'add'"),
        "constant": (f.model([f.node("Constant", [], ["c"], "k", value=f.external("", [2], "../secret.bin")),
                              f.node("Add", ["x", "c"], ["y"], "add")], [x], [y]),
                     "constant.onnx, tensor c, for Add 'add'"),
        "gone": (weight("nothing.bin"), "external_data.location 'nothing.bin' is not there"),
        "short": (weight("w.bin", offset=0, length=8), "external_data needs bytes 0 to 8"),
        "shorter": (weight("w.bin"), "external_data needs bytes 0 to 8 of 'w.bin', which has 4"),
        "little": (weight("w.bin", offset=0, length=4), "external_data.length is 4, the shape [2] needs 8"),
        "number": (weight("w.bin", offset="x"), "external_data: its offset 'x' is no number"),
        "nowhere": (weight(None), "external_data: it has no location"),
        "link": (weight("link.bin"), "external_data.location 'link.bin' leaves the model's folder"),
    }
    for name, (content, what) in rows.items():
        path = write(folder + "/sub", name + ".onnx", content)
        done = assay.run("dump", f"{EXECUTOR}:{path}", "-o", folder + "/no", code=2)
        assert what in done.stderr and path in done.stderr, (name, done.stderr)
    assert "no executor 'opnvino'" in assay.run("dump", f"opnvino:{path}", "-o", folder + "/no", code=2).stderr


def check_values_behind_links(assay, folder, _):
    """A cache keeps a model and its values side by side, and links to both from elsewhere."""
    os.mkdir(folder + "/kept")
    os.mkdir(folder + "/seen")
    f = onnx_files
    content = f.model([f.node("Add", ["x", "w"], ["y"], "add")], [f.value("x", f.FLOAT, [2])],
                      [f.value("y", f.FLOAT, [2])], [f.external("w", [2], "w.bin")])
    for kept, seen, data in (("1", "m.onnx", content), ("2", "w.bin", np.float32([1, 2]).tobytes())):
        write(folder + "/kept", kept, data)
        os.symlink("../kept/" + kept, folder + "/seen/" + seen)
    os.mkdir(folder + "/new")
    assay.run("graph", "mark", folder + "/seen/m.onnx", "--to", "y", "-o", folder + "/new/m.onnx", code=0)
    assert np.fromfile(folder + "/new/w.bin", "f4").tolist() == [1, 2]


def check_model_editing(assay, folder, _):
    path = write(folder, "m.onnx", onnx_files.chain())
    text = assay.run("graph", "text", path, code=0).stdout
    assert text.splitlines() == [
        "input x: f32[2,3]", "const w: f32[1]", "a = Relu(x)  # relu", "net/b = Add(a, w)  # add",
        "c: f32[p,q], d = Split(net/b) {axis=0}", "e: f32[p,q] = Neg(d)  # neg"], text
    assay.run("graph", "extract", path, "--to", "net/b", "-o", folder + "/cut.onnx", code=0)
    assert assay.run("graph", "text", folder + "/cut.onnx", code=0).stdout.splitlines() == text.splitlines()[:4]
    with open(folder + "/cut.onnx", "rb") as file:
        assert b"keep me" in file.read()
    assay.run("graph", "mark", path, "--to", "a,d", "-o", folder + "/marked.onnx", code=0)
    with open(folder + "/marked.onnx", "rb") as file:
        marked = file.read()
    assert b"keep me" in marked and len(marked) > os.path.getsize(path)
    for words in (["extract", path, "--to", "a"], ["mark", path]):
        done = assay.run("graph", *words, "-o", f"{folder}/./m.onnx", code=2)
        assert "this would overwrite the model itself" in done.stderr, done.stderr
    assert pathlib.Path(path).read_bytes() == onnx_files.chain()
    assert "no tensor is called 'q'" in assay.run("graph", "extract", path, "--to", "q", "-o", folder + "/n.onnx", code=2).stderr
    assay.run("graph", "extract", path, "--from", "a", "-o", folder + "/n.onnx", code=0)
    cut = assay.run("graph", "text", folder + "/n.onnx", code=0).stdout.splitlines()
    assert cut == ["input a: f32", *text.splitlines()[1:2], *text.splitlines()[3:]], cut
    assay.run("graph", "extract", path, "--from", "a,a", "--to", "d,d", "-o", folder + "/once.onnx", code=0)
    listed = assay.json("graph", "ls", folder + "/once.onnx", code=0)
    inputs = [op["name"] for op in listed["operators"] if op["type"] == "Data"]
    assert (inputs, listed["outputs"]) == (["a"], ["d"]), listed
