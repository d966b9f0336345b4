"""assay dump_full, dump_once, dump_range: the command lines of dump_tools.py."""
import json
import os
import re
import shutil
import subprocess
import sys

import numpy
import tiny_onnx

HERE = os.path.dirname(os.path.abspath(__file__))
EXECUTOR = os.path.abspath(os.path.join(HERE, "../../examples/numpy_executor.py"))
COMPARE = os.path.abspath(os.path.join(HERE, "../data/metrics/teco_compare"))
TAPS = ["fc1", "fc1_bias", "relu1", "fc2", "fc2_bias", "gate", "gated", "fc3", "fc3_bias", "y", "branch/relu"]
WIDTH = {"fc3": 3, "fc3_bias": 3, "y": 3, "branch/relu": 3}


class Tool:
    """The program in a folder of its own, as the tool writes into the working directory."""

    def __init__(self, assay, folder):
        self.assay, self.folder = assay, folder
        with open(self.path("m.onnx"), "wb") as file:
            file.write(tiny_onnx.perceptron())
        numpy.save(self.path("x.npy"), numpy.full((2, 4), 0.5, "float32"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, command, *words, code=0, frame=EXECUTOR, python=sys.executable):
        done = subprocess.run([os.path.abspath(self.assay.path), command, "-f", frame, "-d", "m.onnx",
                               "-i", "x:x.npy", *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, env=os.environ | {"ASSAY_PYTHON": python})
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert code == 2 or done.stdout.startswith("args:  Namespace(frame_type="), done.stdout
        return done.stdout.splitlines()[1:], done.stderr


def line(index):
    name = TAPS[index]
    return f"topology index {index}, output {name}, shape (2, {WIDTH.get(name, 8)}), dtype float32"


def check_full(assay, folder, samples):
    tool = Tool(assay, folder)
    lines, _ = tool.run("dump_full")
    assert lines == [line(i) for i in range(11)], lines
    outputs = os.listdir(tool.path("numpy_executor_dump/outputs"))
    assert "topoidx_00002__relu1.npy" in outputs and len(outputs) == 11, outputs
    assert numpy.load(tool.path("numpy_executor_dump/inputs/x.npy")).shape == (2, 4)
    with open(tool.path("numpy_executor_dump/dump_info.json"), encoding="utf-8") as file:
        info = json.load(file)
    assert info["meta_info"]["node_output_names"] == TAPS
    assert not os.path.exists(tool.path("compare_result.log"))


def check_steps_and_ranges(assay, folder, samples):
    tool = Tool(assay, folder)
    rows = [(("dump_full", "-s", "4"), [0, 4, 8, 10]),
            (("dump_range", "-bs", "relu1", "-s", "3"), [2, 5, 8, 10]),
            (("dump_range", "-es", "gate", "-s", "2"), [0, 2, 4, 5]),
            (("dump_range", "-b", "0", "-e", "3"), [0, 1, 2, 3]),
            (("dump_range", "-b", "8"), [8, 9, 10]),
            (("dump_range", "-b", "1", "-es", "relu1", "-s", "9"), [1, 2]),
            (("dump_range", "-b", "3", "-e", "4", "-bs", "y"), [3, 4])]
    for words, indices in rows:
        lines, _ = tool.run(*words)
        assert lines == [line(i) for i in indices], (words, lines)


def check_once(assay, folder, samples):
    tool = Tool(assay, folder)
    lines, _ = tool.run("dump_once", "-n", "gate")
    assert lines == ["output gate, shape (2, 8), dtype float32"], lines
    assert os.listdir(tool.path("numpy_executor_dump/outputs")) == ["gate.npy"]


def check_what_is_wrong(assay, folder, samples):
    tool = Tool(assay, folder)
    rows = [(("dump_once", "-n", "gaet"), 1, "did you mean 'gate'"),
            (("dump_range", "-b", "5", "-e", "5"), 1, "the range must begin before its end"),
            (("dump_range", "-b", "11"), 1, "there is no output 11"),
            (("dump_full", "-s", "0"), 1, "-s takes a number above 0"),
            (("dump_full", "-cd", "none"), 1, "dump_tools compares folders, and this is none"),
            (("dump_full", "-t", "much"), 2, "argument -t/--input_tag: invalid float value: 'much'")]
    for words, code, text in rows:
        _, errors = tool.run(*words, code=code)
        assert text in errors, (words, errors)
    _, errors = tool.run("dump_full", frame="no_such", code=2)
    assert "no executor 'no_such'" in errors, errors
    assert not os.path.exists(tool.path("numpy_executor_dump")), "it fails before the long work"
    shutil.move(tool.path("x.npy"), tool.path("y.npy"))
    _, errors = tool.run("dump_full", code=1)
    assert "x.npy" in errors, errors


def check_open_dimensions_are_told_in_its_own_words(assay, folder, samples):
    words = [os.path.abspath(assay.path), "dump_full", "-f", EXECUTOR, "-d", Tool(assay, folder).path("m.onnx")]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "open dimension 'batch'" in done.stderr, done
    assert "-i NAME:FILE.npy" in done.stderr and "--dim" not in done.stderr, done.stderr


def check_sdaa_names_what_is_missing(assay, folder, samples):
    """Once, whatever the number of outputs, and though this Python has nothing at all."""
    tool = Tool(assay, folder)
    tool.run("dump_once", "-n", "gate", frame="sdaa", code=2)
    for command, words in (("dump_once", ["-n", "gate"]), ("dump_full", [])):
        lines, errors = tool.run(command, *words, frame="sdaa", code=2, python=bare_python(folder))
        assert lines == [] and errors.startswith("assay: No module named 'tvm'\n"), (lines, errors)
        assert "ASSAY_PYTHON names another Python" in errors and "Traceback" not in errors, errors


def bare_python(folder):
    """Without the packages that are installed, as the system's is."""
    path = os.path.join(folder, "python")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    os.chmod(path, 0o755)
    return path


def check_compare(assay, folder, samples):
    """A run against a copy of itself, then with one tensor changed."""
    tool = Tool(assay, folder)
    tool.run("dump_full")
    shutil.copytree(tool.path("numpy_executor_dump/outputs"), tool.path("other"))
    lines, _ = tool.run("dump_full", "-g", "other")
    assert not os.path.exists(tool.path("compare_result.log")), "golden_dir alone is ignored"
    changed = numpy.load(tool.path("other/topoidx_00005__gate.npy"))
    numpy.save(tool.path("other/topoidx_00005__gate.npy"), changed * numpy.float32(1.01))
    lines, _ = tool.run("dump_full", "-cd", "other")
    assert lines[-1] == "After the dump information is complete, check the corresponding data !"
    with open(tool.path("compare_result.log"), encoding="utf-8") as file:
        log = file.read().splitlines()
    assert log[0] == ("index: 0 | topoidx_00000__fc1.npy | nan_inf: False | diff2: 0.0 | all_close: True"
                      " | th: 1e-06"), log[0]
    gate = re.fullmatch(r"index: 5 \| topoidx_00005__gate.npy \| nan_inf: False \| diff2: (\S+) \| "
                        r"all_close: False \| th: 1e-06", log[5])
    assert gate and 0.0098 < float(gate.group(1)) < 0.01, log[5]
    assert os.path.getsize(tool.path("compare_results.xlsx")) > 1000


def check_conformance_lines(assay, folder, samples):
    """The original's lines, from its folders: they are put where a run leaves its outputs."""
    with open(os.path.join(COMPARE, "expected_log_lines.json"), encoding="utf-8") as file:
        expected = json.load(file)
    tool = Tool(assay, folder)
    # One tensor is dumped beside them; no other folder has it.
    shutil.copytree(os.path.join(COMPARE, "sdaa_outputs"), tool.path("numpy_executor_dump/outputs"))
    c, g = os.path.join(COMPARE, "ort_fp16"), os.path.join(COMPARE, "golden_fp32")
    for key, words in (("compare_dir_only", ["-cd", c]), ("with_golden_tag10", ["-cd", c, "-g", g]),
                       ("with_golden_tag5_th1_0.02", ["-cd", c, "-g", g, "-t", "5", "-t1", "0.02"])):
        tool.run("dump_once", "-n", "gate", *words)
        with open(tool.path("compare_result.log"), encoding="utf-8") as file:
            lines = [text.rstrip("\n") for text in file if text.startswith("index: ")]
        assert lines == expected[key], (key, lines)
