"""Real models: what `assay dump` keeps is what the runtimes' own Python packages give, to the bit."""
import json
import os
import pathlib
import sys

import models
import numpy as np
import onnx
import onnxruntime

os.environ["ASSAY_PYTHON"] = sys.executable
LIBRARY = str(next((pathlib.Path(onnxruntime.__file__).parent / "capi").glob("libonnxruntime.so*")))
OCR = ["--input", "x=random,low=-1,high=1"]


def size(n, h, w):
    return [word for axis, s in ((0, n), (2, h), (3, w)) for word in ("--dim", f"x:{axis}={s}")]


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
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    inputs = {i["input_name"]: np.load(out / i["file"]) for i in info["input_info"]}
    return zip(info["node_output_info"], session.run(names, inputs))


def check_bit_equal(assay, folder):
    rows = [("v4-det", size(1, 64, 64) + OCR), ("en-v3-det", size(1, 64, 64) + OCR),
            ("v2-cls", size(1, 48, 192) + OCR), ("smart-turn", ["--dim", "input_features:0=1"])]
    for key, words in rows:
        place = folder / key
        place.mkdir()
        out, info = dump(assay, place, key, *words, "--executor-option", "onnxruntime.threads=1")
        for entry, value in by_python(key, out, info, 0, 1):
            got = np.load(out / entry["file"])
            assert got.dtype == value.dtype and got.tobytes() == value.tobytes(), (key, entry["node_output_name"])
        assert info["assay"]["outputs_unchanged"]["equal"] is True, key


def check_bounded_memory(assay, folder):
    """v4-det, 640x640: 690 MB of taps in runs of 128 MB each; the same bytes."""
    (folder / "whole").mkdir()
    (folder / "parts").mkdir()
    words = size(1, 640, 640) + OCR
    whole, info = dump(assay, folder / "whole", "v4-det", *words)
    parts, tight = dump(assay, folder / "parts", "v4-det", *words, "--max-memory", "128M")
    assert any(note.startswith("taps in ") for note in tight["assay"]["notes"]), tight["assay"]
    for entry in info["node_output_info"]:
        assert (whole / entry["file"]).read_bytes() == (parts / entry["file"]).read_bytes(), entry["file"]


def check_looking_hides_drift(assay, folder):
    """An int8 model whose optimised run differs from the tapped one; by how much depends on the CPU."""
    text = ["--dim", "input_ids:0=1", "--dim", "input_ids:1=16", "--input", "input_ids=random,high=30000"]
    more = [w for n in ("attention_mask", "token_type_ids") for a in (0, 1)
            for w in ("--dim", f"{n}:{a}={(1, 16)[a]}")]
    ranges = ["--input", "attention_mask=random,low=1,high=1", "--input", "token_type_ids=random,low=0,high=0"]
    _, info = dump(assay, folder, "minilm-q", *text, *more, *ranges, "--executor-option", "onnxruntime.level=99")
    unchanged = info["assay"]["outputs_unchanged"]
    assert unchanged["equal"] is False and unchanged["max_abs"] > 0, unchanged


def check_equal_names_of_other_tensors(assay, folder):
    """One network exported twice; 27 common names mean other tensors."""
    sources = [f"onnxruntime:{models.path(key)}" for key in ("en-v3-det", "en-v3-det-op12")]
    report = assay.json("compare", *sources, *size(1, 64, 64), *OCR, "--ort-lib", LIBRARY)
    assert report["exit"] != 0 and report["counts"]["fail"] + report["counts"]["unsure"] >= 20, report["counts"]


def check_cut_in_the_middle(assay, folder):
    """A part whose new input has no type in the file gives what the whole gave."""
    whole, info = dump(assay, folder, "v4-det", *size(1, 64, 64), *OCR)
    start, *rest = info["node_output_info"][-4:]
    name = start["node_output_name"]
    assay.run("graph", "extract", models.path("v4-det"), "--from", name, "-o", folder / "part.onnx", code=0)
    text = assay.run("graph", "text", folder / "part.onnx", code=0).stdout
    assert text.startswith(f"input {name}: f32\n"), text.splitlines()[0]
    assay.run("dump", f"onnxruntime:{folder / 'part.onnx'}", "-o", folder / "part", "--ort-lib", LIBRARY,
              "--input", f"{name}={whole / start['file']}", code=0)
    for entry in rest:
        assert (whole / entry["file"]).read_bytes() == (folder / "part" / entry["file"]).read_bytes(), entry
