"""The versions of TensorFlow that devices have adapters for, each in the Python that its wheel needs.

They have Estimators, and variables that live in sessions; the current version has neither.
"""
import os
import pathlib
import subprocess
import sys

import numpy

import setup
from tensorflow_capture import QUIET, SECONDS, arrays, captured, count, expect_session_run, raw_files, run

HERE = pathlib.Path(__file__).resolve().parent
ESTIMATOR = HERE / "estimator_script.py"  # not tensorflow_estimator: that is a package
SAVED = HERE / "tensorflow_saved.py"
PYTHONS = {"1.15.0": "python3.7", "2.6.5": "python3.9"}


def python_with(version):
    """Installed when it is first asked for; setup.Missing where it cannot be."""
    name = f"tensorflow-{version}.txt"

    def fill(venv, python):
        setup.pip_install(python, "-r", HERE / name)
        setup.run("importing tensorflow", python, "-c", "import tensorflow")
    return setup.made(pathlib.Path(sys.prefix).parent / f"real-tensorflow-{version}", (name,), fill, PYTHONS[version])


def expect_capture(assay, root, version):
    """At the prompt and without it: one array per line of `lt`, each bit-equal to session.run."""
    python = python_with(version)
    place, done = captured(assay, root, "session", python=python)
    assert count(place) + done.stderr.count("holds no numbers") == len(raw_files(place)) > 50, done.stderr
    typed, _ = captured(assay, root, "session", "--interactive", python=python)
    assert expect_session_run(place) == expect_session_run(typed) > 15
    assert arrays(place).keys() == arrays(typed).keys()


def check_capture_1_15(assay, folder):
    expect_capture(assay, folder, "1.15.0")


def check_capture_2_6(assay, folder):
    expect_capture(assay, folder, "2.6.5")


def expect_estimator(assay, root, version):
    """The hook of the seed document: the first step of a training that goes on, or that ends at the prompt."""
    words, found = [python_with(version), "-W", "ignore", ESTIMATOR], []
    for options, trained in (((), True), (("--interactive",), False)):
        folder = root / "-".join(("estimator", *options))
        folder.mkdir()
        done = run([pathlib.Path(assay.path).resolve(), "capture", "tf", *options, "--", *words], folder)
        assert ("trained 3 steps" in done.stdout) == trained, done.stdout
        found.append(arrays(folder))
    assert found[0].keys() == found[1].keys() and len(found[0]) > 15, found[0].keys() ^ found[1].keys()
    for stem, values in found[0].items():
        if "global_step" not in stem:  # counts on while it is looked at
            assert [value.tobytes() for value in values] == [value.tobytes() for value in found[1][stem]], stem


def check_estimator_1_15(assay, folder):
    expect_estimator(assay, folder, "1.15.0")


def check_estimator_2_6(assay, folder):
    expect_estimator(assay, folder, "2.6.5")


def check_saved_model_1_15(assay, folder):
    """A SavedModel of version 1, dumped by version 1 and by the current one."""
    old = python_with("1.15.0")
    run([old, "-W", "ignore", SAVED, folder], folder)
    with numpy.load(folder / "values.npz") as values:
        for python in (old, sys.executable):
            dump = folder / f"dump-{pathlib.Path(python).parent.parent.name}"
            environment = dict(os.environ, ASSAY_PYTHON=str(python), **QUIET)
            done = subprocess.run([assay.path, "debug", "dump", "-m", folder / "model", "-dp", "cpu", "-i",
                                   folder / "in.bin", "-is", "input:1,128", "-o", dump], env=environment,
                                  capture_output=True, text=True, timeout=SECONDS)
            assert done.returncode == 0, done.stderr[-1000:]
            for name, want in values.items():
                path, = dump.glob(name.replace("/", "_").replace(":", ".") + ".*.npy")
                got = numpy.load(path)
                same = got.tobytes() == want.tobytes() if python == old else numpy.allclose(got, want, rtol=1e-4)
                assert got.dtype == want.dtype and same, name
