"""The SDK for executors: what goes over the pipe, whatever the class does."""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON, EXAMPLES = os.path.join(ROOT, "python"), os.path.join(ROOT, "examples")
HEAD = "import os, sys, numpy\nfrom assay.executors import BaseExecutor, serve\n"
TAIL = "\nserve(Mine)\n"


def start(folder, body, request=None, words=()):
    """Exit code, answers, standard error of an executor with this class."""
    path = os.path.join(folder, "mine.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + body + TAIL)
    done = subprocess.run([sys.executable, path, *words], input=json.dumps(request or {}),
                          capture_output=True, text=True, timeout=60,
                          env=dict(os.environ, PYTHONPATH=PYTHON))
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def request(folder, taps, **more):
    entries = [{"name": name, "file": name + ".npy"} for name in taps]
    return {"schema": "assay.request/1", "model": "/m.onnx", "folder": folder, "inputs": [],
            "taps": entries, "outputs": [], "options": {}, **more}


GOOD = """
class Mine(BaseExecutor):
    options = ("size",)
    def init(self, config): self.size = int(config.get("size", 2))
    def load_model(self, model, config):
        self.model = model
        print("talk"); os.write(1, b"talk of C code"); os.system("echo talk of a child")
    def sizes(self, names, inputs): return {name: 4 * self.size for name in names}
    def execute(self, names, inputs, config):
        print("run", self.model, *names)
        arrays = {name: numpy.zeros(self.size, "float32") for name in names if name != "gone"}
        if "bad" in arrays: arrays["bad"] = ValueError("not this one")
        return arrays
    def ir_text(self): return "after " + self.model
    def facts(self): return {"size": self.size}
    def release(self): print("released")
"""


def check_answers(_, folder, samples):
    asked = request(folder, ["a", "bad", "gone", "b"], options={"size": "3"}, want_ir=True,
                    outputs=[{"name": "b", "file": "out.npy"}])
    code, answers, errors = start(folder, GOOD, asked)
    assert code == 0, errors
    kinds = [(line["kind"], line.get("name"), line.get("error")) for line in answers]
    assert kinds == [("tap", "a", None), ("tap", "bad", "ValueError: not this one"),
                     ("tap", "gone", "LookupError: the backend did not return it"), ("tap", "b", None),
                     ("ir", None, None), ("output", "b", None), ("done", None, None)], kinds
    assert answers[0]["dtype"] == "f32" and answers[0]["shape"] == [3]
    assert answers[-1]["facts"] == {"version": "", "size": "3"}
    for talk in ("talk\n", "talk of C code", "talk of a child", "released"):
        assert talk in errors, errors
    assert os.path.getsize(os.path.join(folder, "out.npy")) == 128 + 12


KEPT = GOOD.replace("options =", "keeps = True\n    options =")


def check_staying(_, folder, samples):
    """One request per line. The same cut is loaded once, unless the inputs' shapes change."""
    open(os.path.join(folder, "cut.onnx"), "w").close()
    asked = request(folder, ["a"], max_memory=1000)
    asked["taps"][0].update(model=os.path.join(folder, "cut.onnx"), session="s1")
    path = os.path.join(folder, "mine.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + KEPT + TAIL)
    lines = [json.dumps(asked)] * 2
    asked["taps"][0]["session"] = "s2"
    done = subprocess.run([sys.executable, path, "--stay"], input="\n".join([*lines, json.dumps(asked), ""]),
                          capture_output=True, text=True, timeout=60, env=dict(os.environ, PYTHONPATH=PYTHON))
    kinds = [json.loads(line)["kind"] for line in done.stdout.splitlines()]
    assert done.returncode == 0 and kinds == ["tap", "done", "tap", "note", "done", "tap", "done"], (kinds, done.stderr)
    assert "1 of 1 cut models loaded already" in done.stdout
    assert done.stderr.count("talk of a child") == 2 and done.stderr.count("run ") == 3, done.stderr


def check_memory_makes_batches(_, folder, samples):
    code, _, errors = start(folder, GOOD, request(folder, "abcde", max_memory=16))
    assert code == 0
    runs = [line.split()[2:] for line in errors.splitlines() if line.startswith("run ")]
    assert runs == [["a", "b"], ["c", "d"], ["e"]], runs


def check_own_models_fail_alone(_, folder, samples):
    body = GOOD.replace('print("talk");', "assert model != '/2.onnx', 'damaged';")
    asked = request(folder, "abc")
    for tap, model in zip(asked["taps"], ("/1.onnx", "/2.onnx", "/1.onnx")):
        tap["model"] = model
    code, answers, errors = start(folder, body, asked)
    assert code == 0, errors
    assert [line.get("error") for line in answers[:3]] == [None, "AssertionError: damaged", None]


def check_failures_are_told(_, folder, samples):
    failing = [("init", "import no_such_backend", "No module named 'no_such_backend'", True),
               ("load_model", "raise RuntimeError('cut it')", "RuntimeError: cut it", False),
               ("execute", "1 / 0", "ZeroDivisionError: division by zero", False),
               ("execute", "raise OSError('no \\udcff')", "no ?", False)]
    for method, line, text, final in failing:
        arguments = {"init": "config", "load_model": "model, config",
                     "execute": "names, inputs, config"}[method]
        body = f"class Mine(BaseExecutor):\n  def {method}(self, {arguments}): {line}\n" \
               "  def release(self): print('released')\n"
        code, answers, errors = start(folder, body, request(folder, "a"))
        assert code == 1 and answers == [{"kind": "error", "text": text, "final": final}], answers
        assert "Traceback" in errors and "released" in errors, errors


def check_unknown_option(_, folder, samples):
    _, answers, errors = start(folder, GOOD, request(folder, "a", options={"siez": "3"}))
    assert answers == [{"kind": "error", "text": "no option 'siez' of this executor; it has: size", "final": True}]
    assert "Traceback" not in errors, errors


def check_missing_backend(_, folder, samples):
    """Also a part of it that another version has; what is said is which Python was asked."""
    for name in ("no_such_backend", "json.no_such_part"):
        body = f"class Mine(BaseExecutor):\n  module = '{name.split('.')[0]}'\n  def init(self, config): import {name}\n"
        code, answers, errors = start(folder, body, request(folder, "a"))
        assert code == 1 and answers[0]["text"].startswith(f"No module named '{name}'"), answers
        assert errors.startswith(f"It is not installed for {sys.executable}; ") and "Traceback" not in errors, errors


def check_check(_, folder, samples):
    rows = [("module = 'json'", {"usable": True, "version": json.__version__, "why": ""}),
            ("module = 'no_such_backend'",
             {"usable": False, "version": "", "why": f"No module named 'no_such_backend' in {sys.executable}"})]
    for line, state in rows:
        _, answers, _ = start(folder, f"class Mine(BaseExecutor):\n  {line}\n", words=["--check"])
        assert answers == [{"kind": "check", **state}], answers


ONE = """
sys.path.insert(0, {examples!r})
import ctypes
from numpy_executor import NumpyExecutor
class Mine(NumpyExecutor):
    def execute(self, names, inputs, config):
        if "gate" in names: {fault}
        return super().execute(names, inputs, config)
"""
FAULTS = (("print('deep trouble', flush=True); ctypes.string_at(0)", "the executor died of signal 11",
           "deep trouble"),
          ("raise RuntimeError('no kernel')", "RuntimeError: no kernel", ""))


def check_one_fault_costs_one_tensor(assay, folder, samples):
    """The others come from runs of their own, and the fault's words are kept."""
    for fault, text, tail in FAULTS:
        path = os.path.join(folder, "mine.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEAD + ONE.format(examples=EXAMPLES, fault=fault) + TAIL)
        assay.run("dump", f"{path}:{EXAMPLES}/models/perceptron.onnx", "-o", f"{folder}/out", "--force",
                  "--dim", "batch=2", "--no-check", code=2)
        with open(f"{folder}/out/dump_info.json", encoding="utf-8") as file:
            entries = json.load(file)["node_output_info"]
        bad = [entry for entry in entries if "error" in entry]
        assert len(entries) == 11 and [entry["node_output_name"] for entry in bad] == ["gate"], bad
        assert bad[0]["error"].startswith(text) and tail in bad[0].get("error_hint", ""), bad


def check_what_does_not_need_a_fault_is_kept(assay, folder, samples):
    """Each run of a model that has the operator fails as a whole, whatever it is asked for."""
    path = os.path.join(folder, "mine.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + f"sys.path.insert(0, {EXAMPLES!r})\nfrom numpy_executor import NumpyExecutor as Mine, OPERATORS\n"
                   "del OPERATORS['Sigmoid']" + TAIL)
    assay.run("dump", f"{path}:{EXAMPLES}/models/perceptron.onnx", "-o", f"{folder}/out", "--dim", "batch=2", code=2)
    with open(f"{folder}/out/dump_info.json", encoding="utf-8") as file:
        entries = json.load(file)["node_output_info"]
    good = [entry["node_output_name"] for entry in entries if "error" not in entry]
    assert good == ["fc1", "fc1_bias", "relu1", "fc2", "fc2_bias"], good
    errors = {entry["error"] for entry in entries if "error" in entry}
    assert errors == {"NotImplementedError: no operator Sigmoid"}, errors


def check_listed(assay, folder, samples):
    """Those of the package answer, whether or not their backends are here."""
    listed = {entry["name"]: entry["text"] for entry in assay.json("list", "executors")["executors"]}
    for name in ("openvino", "tvm", "sdaa", "onnx_reference"):
        assert "does not answer" not in listed[name], listed[name]
