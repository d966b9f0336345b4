"""assay capture tf and debug dump with the real TensorFlow: every tensor, bit for bit."""
import csv
import functools
import os
import pathlib
import subprocess
import sys

import numpy

SCRIPT = pathlib.Path(__file__).with_name("tensorflow_script.py")
MODEL = pathlib.Path(__file__).with_name("tensorflow_model.py")
TRAINING = pathlib.Path(__file__).with_name("tensorflow_training.py")
SECONDS = 600
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}


def run(words, folder, code=0):
    done = subprocess.run([str(word) for word in words], cwd=folder, env=dict(os.environ, **QUIET),
                          capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == code, (done.returncode, done.stdout[-1000:], done.stderr[-1000:])
    return done


@functools.cache
def captured(assay, root, kind, *options, python=sys.executable):
    """The folder of a captured script, made when it is first asked for."""
    folder = root / "-".join(["tensorflow", kind, *(option.strip("-") for option in options)])
    folder.mkdir()
    done = run([pathlib.Path(assay.path).resolve(), "capture", "tf", *options, "--", python, SCRIPT, kind,
                folder / "values.npz"], folder)
    return folder, done


def arrays(folder):
    """"net_mm.0": [arrays], long names as they really are."""
    root = folder / "precision_data/tf/dump"
    names = {}
    if (root / "mapping.csv").exists():
        with open(root / "mapping.csv") as file:
            names = dict(csv.reader(file))
    found = {}
    for path in sorted(root.rglob("*.npy")):
        stem = names.get(path.name, path.name)[:-len(".npy")].rsplit(".", 1)[0]
        found.setdefault(stem, []).append(numpy.load(path))
    return found


def expect_session_run(folder):
    """How many of the values that session.run gave were captured, each bit for bit."""
    found, seen = arrays(folder), 0
    with numpy.load(folder / "values.npz") as values:
        for name, want in values.items():
            got = found.get(name.replace("/", "_").replace(":", "."))
            if got is None or "loop" in name:
                continue  # pruned: nothing that was fetched needs it
            assert len(got) == 1 and got[0].dtype == want.dtype and got[0].shape == want.shape, (name, got)
            assert got[0].tobytes() == want.tobytes(), name
            seen += 1
    return seen


def count(folder):
    return sum(map(len, arrays(folder).values()))


def raw_files(folder):
    return [path for path in (folder / "precision_data/tf/tf_debug").rglob("*_DebugIdentity_*")]


def check_session(assay, folder):
    """One array per line of `lt`, but for what holds no numbers."""
    place, done = captured(assay, folder.parent, "session")
    left_out = done.stderr.count("holds no numbers")
    assert left_out >= 1 and count(place) + left_out == len(raw_files(place)) > 50, done.stderr
    assert expect_session_run(place) > 15


def check_long_names(assay, folder):
    place, _ = captured(assay, folder.parent, "session")
    stems = [stem for stem in arrays(place) if len(stem) > 240]
    assert len(stems) == 1 and stems[0].startswith("net_xxx") and stems[0].endswith("yyy.0"), stems


def check_names_that_tfdbg_dies_of(assay, folder):
    place, done = captured(assay, folder.parent, "long")
    assert "zzz is too long for tfdbg, left out" in done.stderr, done.stderr[-1000:]
    assert expect_session_run(place) > 15


def check_dump_read_directly(assay, folder):
    """tfdbg's own files against the arrays made of them: the same tensors, the graph that ran."""
    place, _ = captured(assay, folder.parent, "session")
    raw = assay.json("show", place / "precision_data/tf/tf_debug")["tensors"]
    numbers = [tensor for tensor in raw if tensor["dtype"] != "opaque"]
    assert len(numbers) == count(place) and len(raw) == len(raw_files(place))
    report = assay.json("compare", place / "precision_data/tf/tf_debug", place / "precision_data/tf/tf_debug")
    assert report["counts"]["fail"] == report["counts"]["error"] == 0, report["counts"]
    assert "_tfdbg_graph_hash" in report["sources"]["golden"]["graph"], report["sources"]


def check_prompt_gives_the_same(assay, folder):
    """The live prompt saves what the dumping session wrote."""
    dumped, _ = captured(assay, folder.parent, "session")
    typed, done = captured(assay, folder.parent, "session", "--interactive")
    assert expect_session_run(typed) == expect_session_run(dumped)
    first, second = arrays(dumped), arrays(typed)
    assert first.keys() == second.keys(), first.keys() ^ second.keys()
    for stem, values in first.items():
        assert [value.tobytes() for value in values] == [value.tobytes() for value in second[stem]], stem
    assert "net/text:0 holds no numbers, left out" in done.stderr, done.stderr[-1000:]


def check_hook(assay, folder):
    place, done = captured(assay, folder.parent, "hook")
    left_out = done.stderr.count("holds no numbers")
    assert count(place) + left_out == len(raw_files(place)) > 50, done.stderr


def check_saved_model(assay, folder):
    """Every output of every node of a SavedModel, and long names, equal to session.run of the frozen graph."""
    run([sys.executable, MODEL, folder], folder)
    environment = dict(os.environ, ASSAY_PYTHON=sys.executable, **QUIET)
    done = subprocess.run([assay.path, "debug", "dump", "-m", folder / "model", "-dp", "cpu", "-i", folder / "in.bin",
                           "-is", "input:1,128", "-o", folder / "dump"], env=environment, capture_output=True,
                          text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-1000:]
    files = {path.name.split(".", 2)[0] + "." + path.name.split(".")[1]: path
             for path in (folder / "dump").glob("*.npy")}
    with numpy.load(folder / "values.npz") as values:
        assert len(files) == len(values.files) > 8, (sorted(files), values.files)
        for name, want in values.items():
            got = numpy.load(files[name.replace("/", "_").replace(":", ".")])
            assert got.dtype == want.dtype and got.tobytes() == want.tobytes(), name


def check_saved_model_on_a_device_that_is_not_here(assay, folder):
    run([sys.executable, MODEL, folder], folder)
    environment = dict(os.environ, ASSAY_PYTHON=sys.executable, **QUIET)
    done = subprocess.run([assay.path, "debug", "dump", "-m", folder / "model", "-dp", "npu", "-o", folder / "dump"],
                          env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 2 and "npu_bridge) is not installed" in done.stderr, done.stderr[-500:]


def check_session_settings(assay, folder):
    """tf_config with the real protocol buffers, as seed scripts use it."""
    script = ("import tensorflow.compat.v1 as tf\n"
              "import precision_tool.tf_config as npu_tf_config\n"
              "config = npu_tf_config.session_dump_config(tf.ConfigProto(allow_soft_placement=True))\n"
              "op, = config.graph_options.rewrite_options.custom_optimizers\n"
              "print(config.allow_soft_placement, op.name, op.parameter_map['enable_dump'].b,\n"
              "      op.parameter_map['dump_step'].s, op.parameter_map['dump_path'].s.decode())\n"
              "npu_tf_config.seed()\n")
    (folder / "script.py").write_text(script)
    done = run([pathlib.Path(assay.path).resolve(), "capture", "npu", "--steps", "0|5", "--", sys.executable,
                "script.py"], folder)
    assert done.stdout.split() == ["True", "NpuOptimizer", "True", "b'0|5'",
                                   str(folder / "precision_data/npu/debug_0/dump")], done.stdout


def check_one_step_of_a_checkpoint(assay, folder):
    """`assay train`: no dropout, the input that was saved, random numbers for the other."""
    checkpoints = folder / "precision_data/tf/checkpoints"
    checkpoints.mkdir(parents=True)
    run([sys.executable, TRAINING, checkpoints], folder)
    environment = dict(os.environ, ASSAY_PYTHON=sys.executable, **QUIET)
    done = subprocess.run([pathlib.Path(assay.path).resolve(), "train", "-d", "cpu", "-a", "dump"], cwd=folder,
                          env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0 and "dropout rates set to 0: 1" in done.stderr, done.stderr[-1000:]
    found, x = arrays(folder), numpy.load(checkpoints / "input/net_x_0.npy")
    product, = found["product.0"]
    assert numpy.array_equal(product, x @ numpy.full((3, 1), 0.5, numpy.float32)), product
    y = numpy.load(checkpoints / "input/y_0.npy")  # one for all rows, as its shape is open
    assert y.shape == (1, 1) and numpy.array_equal(found["sub.0"][0], product - y), found["sub.0"]
