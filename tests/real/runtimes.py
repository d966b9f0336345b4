"""Real models on real runtimes: ONNX Runtime, OpenVINO, TVM, the reference of onnx.

Findings are told in numbers of 64x64 images; other CPUs change last digits, so ranges are tested.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys

import arm64
import half_model
import models
import nets
import numpy
import onnxruntime
import relay
from program import Program

BUILD = pathlib.Path(sys.prefix).parent
# The library that Python uses, and this Python, for the program too.
os.environ["ASSAY_ORT_LIB"] = str(next(
    (pathlib.Path(onnxruntime.__file__).parent / "capi").glob("libonnxruntime.so.*")))
os.environ["ASSAY_PYTHON"] = sys.executable


@contextlib.contextmanager
def run_by(python):
    """Executors are run by this Python meanwhile."""
    os.environ["ASSAY_PYTHON"] = str(python)
    try:
        yield
    finally:
        os.environ["ASSAY_PYTHON"] = sys.executable


def image(folder, kind="random", shape=(1, 3, 64, 64)):
    """--input x=FILE for the OCR models; `hash` needs no random library."""
    n = int(numpy.prod(shape))
    if kind == "zeros":
        array = numpy.zeros(n)
    elif kind == "hash":
        array = (numpy.arange(n, dtype="uint64") * 2654435761 % 2**32) / 2**31 - 1
    else:
        array = numpy.random.default_rng(0).uniform(-1, 1, n)
    path = folder / f"{kind}.npy"
    numpy.save(path, array.reshape(shape).astype("float32"))
    return ["--input", f"x={path}"]


def compare(assay, golden, target, *options):
    report = assay.json("compare", golden, target, *options)
    assert report["counts"]["error"] == 0, [row["why"] for row in report["rows"] if row["verdict"] == "error"]
    return report


def failing(report):
    return [row["op"] for row in report["rows"] if row["verdict"] == "fail"]


def check_openvino_agrees(assay, folder):
    for key, taps in (("v4-det", 330), ("en-v3-det", 220)):
        model = models.path(key)
        report = compare(assay, f"onnxruntime:{model}", f"openvino:{model}", *image(folder))
        assert len(report["rows"]) >= taps, len(report["rows"])
        assert set(failing(report)) <= {"p2o.Sigmoid.0"}, failing(report)


def check_openvino_takes_cut_models(assay, folder):
    """Most cuts of this one take fewer inputs than the model."""
    taps, words = nets.SMALL["g2p-dec"]
    done = assay.run("dump", f"openvino:{models.path('g2p-dec')}", "-o", folder / "out", "--isolate-prefix", *words, code=0)
    assert f"{taps} of {taps} taps" in done.stdout and "outputs unchanged by looking: yes" in done.stdout, done.stdout


def check_tvm_agrees(assay, folder):
    """Relax; larger models take it minutes."""
    model = models.path("mnist")
    report = compare(assay, f"onnxruntime:{model}", f"tvm:{model}")
    assert len(report["rows"]) >= 12 and failing(report) == [], failing(report)


def check_relay_program(assay, folder):
    """dump_once prints the program up to the tap: its last statement is the tap's operator."""
    with run_by(relay.ready(BUILD / "real-relay")):
        words = ["-d", models.path("mnist"), "-n", "Plus30_Output_0"]
        done = subprocess.run([os.path.abspath(assay.path), "dump_once", "-f", "tvm", *words], cwd=folder,
                              capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    program = done.stdout[done.stdout.index("self.ir_module:  def @main(%Input3"):]
    last = program[:program.index("\n}")].splitlines()[-1]
    assert last.strip().startswith("add(") and "Plus30" in last, program
    assert done.stdout.endswith("output Plus30_Output_0, shape (1, 8, 28, 28), dtype float32\n"), done.stdout


def check_reference_agrees(assay, folder):
    model = models.path("mnist")
    report = compare(assay, f"onnxruntime:{model}", f"onnx_reference:{model}")
    assert len(report["rows"]) >= 12 and failing(report) == [], failing(report)


def precision(assay, folder, model):
    """What OpenVINO really runs in when f16 is asked for."""
    assay.run("dump", f"openvino:{model}", "-o", folder / "probe", "--force", "--taps", "0", *image(folder),
              "--executor-option", "openvino.precision=f16", code=0)
    return json.loads((folder / "probe/dump_info.json").read_text())["assay"]["executor"]["facts"]["precision"]


def python_with_f16(assay, folder, model):
    """Most CPUs of x86 have no arithmetic in f16; those of arm64 do, and QEMU too."""
    if precision(assay, folder, model) == "f16":
        return sys.executable
    python = arm64.ready(BUILD / "real-arm64")
    with run_by(python):
        actual = precision(assay, folder, model)
    assert actual == "f16", actual
    return python


def check_the_real_failure(assay, folder):
    """OpenVINO in f16: a running variance of 9.8e7 does not fit, and no NaN or Inf tells of it."""
    model = models.path("v4-det")
    assay = Program(assay.path, seconds=900)  # QEMU is slow where others work too
    with run_by(python_with_f16(assay, folder, model)):
        for kind in ("random", "zeros", "hash"):
            report = compare(assay, f"onnxruntime:{model}", f"openvino:{model}", *image(folder, kind),
                             "--executor-option", "openvino.precision=f16")
            assert report["origins"][0] == "p2o.BatchNormalization.1", (kind, report["origins"])
            row = next(row for row in report["rows"] if row["op"] == report["origins"][0])
            assert "batch_norm_0.tmp_3" in row["name"] and row["cause"] == "origin", row
            assert row["metrics"]["nan_target"] == row["metrics"]["inf_target"] == 0


def check_sigmoid_near_zero(assay, folder):
    """Finding 1: this Sigmoid, first, and nothing else is blamed with a failure."""
    model = models.path("en-v3-det")
    report = compare(assay, f"onnxruntime:{model}", f"openvino:{model}", *image(folder, "zeros"))
    row = next(row for row in report["rows"] if row["op"] == "p2o.Sigmoid.0")
    assert report["origins"][0] == "p2o.Sigmoid.0", report["origins"]
    assert 0.2 < row["metrics"]["cosine_distance"] < 0.6 and row["metrics"]["max_abs"] < 1.5e-7, row
    others = [row for row in report["rows"] if row["op"] != "p2o.Sigmoid.0"]
    assert all((row["metrics"]["cosine_distance"] or 0) < 1e-9 for row in others)


# The operator that finding 2 blames, its output and its weight.
OVERFLOWING = (("en-v3-det", "p2o.BatchNormalization.47", "batch_norm_47.tmp_3", "batch_norm_47.w_2"),
               ("v4-det", "p2o.BatchNormalization.1", "batch_norm_0.tmp_3", "batch_norm_0.w_2"))


def converted(assay, folder, key, kind):
    """The report of a model against its f16 conversion."""
    model, given = models.path(key), image(folder, kind)
    numpy.save(folder / "half.npy", numpy.load(folder / f"{kind}.npy").astype("float16"))
    golden, target = folder / "golden", folder / "target"
    assay.run("dump", f"onnxruntime:{model}", "-o", golden, *given, code=0)
    assay.run("dump", f"onnxruntime:{half_model.save(model, folder / 'half.onnx')}", "-o", target, "--input", f"x={folder}/half.npy", code=0)
    return compare(assay, golden, target)


def check_variance_overflows_in_f16(assay, folder):
    """Finding 2: no tap holds inf or NaN, each channel is its bias. Operator and weight are named."""
    for key, guilty, tensor, weight in OVERFLOWING:
        for kind in ("zeros", "hash", "random"):
            place = folder / f"{key}-{kind}"
            place.mkdir()
            report = converted(assay, place, key, kind)
            assert report["origins"][0] == guilty, (key, kind, report["origins"])
            assert all(row["metrics"]["nan_target"] == row["metrics"]["inf_target"] == 0 for row in report["rows"])
            row = next(row for row in report["rows"] if row["name"] == tensor)
            assert row["weight"]["name"] == weight and row["weight"]["limit"] == 65504, row
            named = [f["where"] for f in report["findings"] if f["rule"] == "weight-overflow"]
            assert named == [tensor], (key, kind, report["findings"])
            if (key, kind) == ("en-v3-det", "zeros"):
                assert 0.11 < row["metrics"]["cosine_distance"] < 0.14, row["metrics"]
                assert abs(row["weight"]["largest"] - 21625750) < 1, row


def check_same_network_other_opset(assay, folder):
    """The control: every tensor is bit-equal."""
    one, other = models.path("v4-det"), models.path("v4-det-op11")
    report = compare(assay, f"onnxruntime:{one}", f"onnxruntime:{other}", *image(folder))
    assert report["verdict"] == "pass" and len(report["rows"]) >= 330, report["counts"]
