"""The samples in Python and C++, on the executor that is written in NumPy."""
import os
import subprocess
import sys

EXAMPLES = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples"))
EXECUTOR = os.path.join(EXAMPLES, "numpy_executor.py")
MODEL = os.path.join(EXAMPLES, "models/perceptron.onnx")
RANGES = [["fc1", "fc2", "gated", "y", "branch/relu"], ["relu1", "gated", "branch/relu"],
          ["fc1", "relu1", "fc2_bias", "gate"], ["fc1", "fc1_bias", "relu1", "fc2", "fc2_bias"],
          ["relu1", "fc2_bias", "gated"], ["gate", "branch/relu"]]


def run(assay, *words, code=0):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, ASSAY_PROGRAM=os.path.abspath(assay.path)))
    assert done.returncode == code, (words, done.stdout, done.stderr)
    return done.stdout + done.stderr


def python(assay, number, folder, executor=EXECUTOR, **how):
    return run(assay, sys.executable, os.path.join(EXAMPLES, f"python/sample{number}.py"), executor,
               os.path.join(folder, str(number)), **how)


def check_python_samples(assay, folder, samples):
    assert "branch/relu (2, 3) float32" in python(assay, 0, folder)
    assert python(assay, 1, folder) == "drawn True\nread True\n"
    assert "['fc2', 'fc2_bias', 'gate', 'gated']" in python(assay, 2, folder)
    assert python(assay, 3, folder).splitlines() == ["relu1 (2, 8)", "gate (2, 8)", "y (2, 3)",
                                                     "branch/relu (2, 3)"]
    assert "11 tensors; ran: {'version'" in python(assay, 4, folder)
    text = python(assay, 6, folder)
    assert "['fc1', 'gate', 'branch/relu']" in text and "did you mean 'gate'" in text, text
    lines = python(assay, 7, folder).splitlines()
    assert [line[line.index("["):] for line in lines] == [str(names) for names in RANGES], lines


def check_python_tools(assay, folder, samples):
    text = python(assay, 5, folder)
    for line in ("inputs  ['x']", "outputs ['y', 'branch/relu']",
                 "relu1 is made by n_relu1 and used by ['n_fc2', 'n_gated']",
                 "saved   ['gated', 'relu1']", "drawn   (2, 4) 3 0"):
        assert line in text, (line, text)


def check_sample4_without_the_device(assay, folder, samples):
    text = python(assay, 4, folder, executor="sdaa", code=1)
    assert "sdaa cannot run here:" in text and "tvm" in text, text


def check_cpp_samples(assay, folder, samples):
    def sample(number):
        program = os.path.join(os.path.dirname(os.path.abspath(assay.path)), f"examples/cpp/sample{number}")
        return run(assay, program, MODEL, os.path.join(folder, f"c{number}"), EXECUTOR)

    text = sample(0)
    assert "relu1 [2,8]" in text and text.endswith("11 rows: pass\n"), text
    assert [line.split()[0] for line in sample(2).splitlines()] == ["fc2", "fc2_bias", "gate", "gated"]
    text = sample(3)
    assert "gate [2,8]" in text and text.endswith("4 tensors in the dump\n"), text
    names = [line.split()[0] for line in sample(7).splitlines() if "[" in line]
    assert names == sum(RANGES, []), names
