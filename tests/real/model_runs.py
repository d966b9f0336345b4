"""Real models: what `assay dump` keeps is what the runtimes' own Python packages give, to the bit."""
import json
import os
import pathlib
import shutil
import sys

import models
import nets
import numpy as np
import onnx
import onnxruntime

os.environ["ASSAY_PYTHON"] = sys.executable
LIBRARY = str(next((pathlib.Path(onnxruntime.__file__).parent / "capi").glob("libonnxruntime.so*")))


def dump(assay, folder, key, *words):
    out = folder / "out"
    assay.run("dump", f"onnxruntime:{models.path(key)}", "-o", out, "--ort-lib", LIBRARY, *words, code=0)
    return out, json.loads((out / "dump_info.json").read_text())


def by_python(key, out, info, level, threads):
    """The same taps through the Python package of the same library file."""
    model = onnx.load(models.path(key))
    there = {o.name for o in model.graph.output}
    names = [e["node_output_name"] for e in info["node_output_info"]]
    for name in names:
        if name not in there:
            model.graph.output.add().name = name
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel(level)
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    inputs = {i["input_name"]: np.load(out / i["file"]) for i in info["input_info"]}
    return zip(info["node_output_info"], session.run(names, inputs))


def expect_bit_equal(assay, folder, row, taps, words):
    """`row`: a row of nets.py."""
    key, folder = nets.key_of(row), folder / row
    folder.mkdir()
    out, info = dump(assay, folder, key, *words, "--executor-option", "onnxruntime.threads=1")
    assert len(info["node_output_info"]) == taps, (row, len(info["node_output_info"]))
    assert not [e["error"] for e in info["node_output_info"] if "error" in e], row
    for entry, value in by_python(key, out, info, 0, 1):
        got = np.load(out / entry["file"])
        assert got.dtype == value.dtype and got.shape == value.shape, (row, entry["node_output_name"])
        assert got.tobytes() == value.tobytes(), (row, entry["node_output_name"])
    assert info["assay"]["outputs_unchanged"]["equal"] is True, row
    shutil.rmtree(folder)


def check_bit_equal(assay, folder):
    """Every tap of every model that can be run."""
    for row, (taps, words) in {**nets.SMALL, **nets.LARGE}.items():
        expect_bit_equal(assay, folder, row, taps, words)


def check_every_model_has_a_row(assay, folder):
    """Of models.lock; one is refused by the runtime, three are no models of ONNX."""
    keys = {nets.key_of(row) for row in (*nets.SMALL, *nets.LARGE)}
    assert set(models.entries()) - keys == {"espcn-quant", "basic-pitch-tf", "mnist-input", "mnist-output"}


def check_bounded_memory(assay, folder):
    """v4-det, 640x640: 690 MB of taps in runs of 128 MB each; the same bytes."""
    (folder / "whole").mkdir()
    (folder / "parts").mkdir()
    words = nets.image(1, 640, 640)
    whole, info = dump(assay, folder / "whole", "v4-det", *words)
    parts, tight = dump(assay, folder / "parts", "v4-det", *words, "--max-memory", "128M")
    assert any(note.startswith("taps in ") for note in tight["assay"]["notes"]), tight["assay"]
    for entry in info["node_output_info"]:
        assert (whole / entry["file"]).read_bytes() == (parts / entry["file"]).read_bytes(), entry["file"]


def seeded(assay, folder, key, level, *words):
    """A dump of values of NumPy's generator with seed 0."""
    folder.mkdir()
    return dump(assay, folder, key, *nets.LARGE[key][1], "--seed", "0",
                "--executor-option", f"onnxruntime.level={level}", *words)


def check_int8_models_drift(assay, folder):
    """Finding 3: an optimised run against the plain one. It was 0.23 and 0.46."""
    for key, low, high in (("minilm-q", 0.15, 0.35), ("moon-enc", 0.3, 0.6)):
        name = onnx.load(models.path(key)).graph.output[0].name
        arrays = []
        for level in (0, 99):
            out, info = seeded(assay, folder / f"{key}-{level}", key, level, "--taps", "=" + name)
            arrays.append(np.load(out / info["node_output_info"][0]["file"]).astype("float64"))
        assert low < abs(arrays[0] - arrays[1]).max() < high, (key, abs(arrays[0] - arrays[1]).max())


def check_looking_hides_drift(assay, folder):
    """With all taps the optimised run is the plain one, which the untouched model tells."""
    _, info = seeded(assay, folder / "drifts", "minilm-q", 99)
    unchanged = info["assay"]["outputs_unchanged"]
    assert unchanged["equal"] is False and 0.15 < unchanged["max_abs"] < 0.35, unchanged
    _, info = seeded(assay, folder / "steady", "smart-turn", 99)
    assert info["assay"]["outputs_unchanged"] == {"equal": True}, info["assay"]


def check_equal_names_of_other_tensors(assay, folder):
    """Finding 4: one network exported twice; 27 and 18 common names mean other tensors, and none of them passes."""
    for keys, words, names in ((("en-v3-det", "en-v3-det-op12"), nets.image(1, 64, 64), 27),
                               (("v2-cls", "v2-cls-op9"), nets.image(1, 48, 192), 18)):
        sources = [f"onnxruntime:{models.path(key)}" for key in keys]
        report = assay.json("compare", *sources, *words, "--ort-lib", LIBRARY)
        other = [row for row in report["rows"] if row["op"] != "p2o.Sigmoid.0" and (
            row["golden"][0]["shape"] != row["target"][0]["shape"] or row["metrics"]["cosine_distance"] > 1e-3)]
        assert len(other) == names and report["exit"] == 1, (keys, len(other), report["counts"])
        assert all(row["verdict"] in ("fail", "unsure") for row in other), keys


def check_cut_in_the_middle(assay, folder):
    """A part whose new input has no type in the file gives what the whole gave."""
    whole, info = dump(assay, folder, "v4-det", *nets.image(1, 64, 64))
    start, *rest = info["node_output_info"][-4:]
    name = start["node_output_name"]
    assay.run("graph", "extract", models.path("v4-det"), "--from", name, "-o", folder / "part.onnx", code=0)
    text = assay.run("graph", "text", folder / "part.onnx", code=0).stdout
    assert text.startswith(f"input {name}: f32\n"), text.splitlines()[0]
    assay.run("dump", f"onnxruntime:{folder / 'part.onnx'}", "-o", folder / "part", "--ort-lib", LIBRARY,
              "--input", f"{name}={whole / start['file']}", code=0)
    for entry in rest:
        assert (whole / entry["file"]).read_bytes() == (folder / "part" / entry["file"]).read_bytes(), entry
