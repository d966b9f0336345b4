"""Models run by executors, the dumps they leave, and comparisons of these."""
import collections.abc
import itertools
import json
import os
import tempfile

import numpy

from assay import arrays, program
from assay.tensors import load


class Model:
    """An ONNX model, the executor that runs it, and its inputs.

        model = assay.Model("m.onnx", dims={"batch": 1})
        model.set_input("x", numpy.ones((1, 4), "float32"))
        dump = model.dump_full("golden")

    Inputs that are not set are random, the same for the same seed. `options` are the executor's:
    {"level": 99}.
    """

    def __init__(self, path, executor="onnxruntime", options=None, dims=None):
        self.path, self.executor = os.fspath(path), executor
        self.options, self.dims = dict(options or {}), dict(dims or {})
        self.seed = 42
        self.marked = []
        self._inputs, self._inputs_from = {}, ""
        self._numbers = itertools.count()  # of their files
        self._folder = tempfile.TemporaryDirectory(prefix="assay-")

    def set_input(self, name, array=None, **ranges):
        """An array, or what random values are drawn from: seed, low, high."""
        if array is not None:
            path = os.path.join(self._folder.name, f"{next(self._numbers)}.npy")
            self._inputs[name] = arrays.write_array(path, numpy.asarray(array))
            return
        unknown = set(ranges) - {"seed", "low", "high"}
        if unknown:
            raise TypeError(f"an input has no {', '.join(sorted(unknown))}: it has seed, low and high")
        self._inputs[name] = ",".join(["random", *(f"{key}={value}" for key, value in ranges.items())])

    def inputs_from(self, path):
        """All inputs that are not set: of an earlier dump (its values, or drawn again by its
        dump_info.json), of a folder with NAME.npy, or of a file.
        """
        self._inputs_from = os.fspath(path)

    def _listed(self):
        """The model's own operators, without those of the bodies of loops and branches."""
        listed = json.loads(program.run("graph", "ls", self.path, "--json"))
        first = [op for op in listed["operators"] if op["part"] == listed["operators"][0]["part"]]
        return listed["outputs"], first

    def inputs(self):
        """The names of its inputs."""
        return [op["name"] for op in self._listed()[1] if op["type"] == "Data"]

    def outputs(self):
        """The names of its outputs, those marked among them."""
        return self._listed()[0]

    def taps(self):
        """The names of all tensors that can be dumped."""
        return [name for op in self._listed()[1] if op["type"] not in ("Data", "Const", "Constant")
                for name in op["outputs"]]

    def maker(self, tensor):
        """The name of the operator that makes a tensor; None: it is an input or unknown."""
        return next((op["name"] for op in self._listed()[1] if tensor in op["outputs"]), None)

    def users(self, tensor):
        """The names of the operators that take a tensor."""
        return [op["name"] for op in self._listed()[1] if tensor in op["inputs"]]

    def extract(self, inputs=(), outputs=()):
        """From now on the model between these tensors; nothing: the model's own inputs or outputs."""
        words = ["graph", "extract", self.path]
        words += ["--from", ",".join(inputs)] if inputs else []
        words += ["--to", ",".join(outputs)] if outputs else []
        self.path = self._edit(words, "cut")

    def mark(self, *names):
        """From now on these tensors are outputs too."""
        self.path = self._edit(["graph", "mark", self.path, "--to", ",".join(names)], "marked")
        self.marked += names

    def save(self, path):
        """The model as it is now, cut and marked, with the files that hold its values."""
        program.run("graph", "mark", self.path, "--to", self.outputs()[0], "-o", path)

    def _edit(self, words, kind):
        out = os.path.join(tempfile.mkdtemp(dir=self._folder.name), kind + ".onnx")
        program.run(*words, "-o", out)
        return out

    def text(self):
        """The model as readable text."""
        return program.run("graph", "text", self.path)

    def dump_full(self, folder, **how):
        """Every tensor. `how`: names="plain", "topoidx", ..., isolate=True: see `assay dump --help`."""
        return self._dump(folder, "all", how)

    def dump_once(self, folder, **how):
        """The model's outputs, those marked among them, as far as an operator makes them."""
        taps = self.taps()
        names = [name for name in self.outputs() if name in taps]
        return self._dump(folder, _listed(names), {"names": "plain", **how})

    def dump_list(self, names, folder, **how):
        """These tensors."""
        return self._dump(folder, _listed(names), how)

    def dump_range(self, start=None, end=None, step=1, **how):
        """From one tensor to another, by name or number; both are always among them."""
        ends = ("" if end is None else _listed([end]) if isinstance(end, str) else end for end in (start, end))
        return self._dump(how.pop("folder"), "{}..{}/{}".format(*ends, step), how)

    def _dump(self, folder, taps, how):
        words = ["dump", f"{self.executor}:{self.path}", "-o", folder, "--taps", taps,
                 "--names", how.get("names", "topoidx"), "--seed", self.seed, "--force"]
        words += ["--isolate-prefix"] if how.get("isolate") else []
        words += _many("--input", self._inputs) + _many("--dim", self.dims)
        words += ["--inputs-from", self._inputs_from] if self._inputs_from else []
        words += _many("--executor-option", {f"{self.executor}.{key}": value
                                             for key, value in self.options.items()})
        text, error = program.call(*words)
        if not text:
            raise error
        # Taps that could not be had are recorded in the dump; if all are like that, it is no dump.
        dump = Dump(folder)
        for name in dump.errors if len(dump) == 0 else ():
            dump[name]
        return dump


def _listed(names):
    """For --taps; '=': a name may look like a number."""
    return ",".join("=" + name for name in names)


def _many(option, values):
    return [word for name, value in values.items() for word in (option, f"{name}={value}")]


class Dump(collections.abc.Mapping):
    """A folder that `assay dump` wrote: arrays by name; `info` is its dump_info.json."""

    def __init__(self, folder):
        self.folder = os.fspath(folder)
        path = os.path.join(self.folder, "dump_info.json")
        if not os.path.exists(path):
            raise program.AssayError("there is no dump in it", self.folder)
        with open(path, encoding="utf-8") as file:
            self.info = json.load(file)
        self.entries = {entry["node_output_name"]: entry for entry in self.info["node_output_info"]}

    def __iter__(self):
        """The names of the tensors that are there, in the order of the model."""
        return (name for name, entry in self.entries.items() if "error" not in entry)

    def __len__(self):
        return sum(1 for _ in self)

    def __contains__(self, name):
        return "error" not in self.entries.get(name, {"error": "unknown"})

    def __getitem__(self, name):
        entry = self.entries[name]
        if "error" in entry:
            raise program.AssayError(entry["error"], name, entry.get("error_hint", ""))
        found = load(os.path.join(self.folder, entry["file"]))
        return found[entry["tensor"]] if "tensor" in entry else found.only()

    @property
    def errors(self):
        """Why tensors are missing, by name."""
        return {name: entry["error"] for name, entry in self.entries.items() if "error" in entry}

    @property
    def inputs(self):
        """The arrays the model was given, by name."""
        return {entry["input_name"]: load(os.path.join(self.folder, entry["file"])).only()
                for entry in self.info["input_info"]}


def compare(golden, target, *options):
    """The report assay.comparison/1 as a dict, of two paths or dumps: see docs/reference/report-json.md.
    `options` go to `assay compare`. Bad rows are no exception; trouble without a report is one.
    """
    sides = [getattr(side, "folder", side) for side in (golden, target)]
    text, error = program.call("compare", *sides, "--json", *options)
    if not text:
        raise error
    return json.loads(text)
