"""The life of an executor program: a request, one line per tensor, an end; or one request after another."""
import itertools
import json
import os
import sys
import traceback

from assay.executors.base import Refused

# Nothing of a backend is imported up here: standard output is not yet ours.


class Lines:
    """What assay reads. File descriptor 1 becomes a copy of standard error, also for C code, so that
    a backend that prints does no harm; the answers go through a descriptor that nobody else knows.
    """

    def __init__(self):
        sys.stdout.flush()
        # Texts of exceptions may have parts of names that are no Unicode.
        self.file = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
        os.dup2(2, 1)

    def send(self, kind, **values):
        self.file.write(json.dumps({"kind": kind, **values}, ensure_ascii=False) + "\n")
        self.file.flush()


def why(error):
    """An exception as one text: what it says, else what it is. Some say a whole traceback of C++ first."""
    text = str(error).strip()
    if text.startswith("Traceback"):
        text = text.splitlines()[-1]
    if isinstance(error, (ImportError, OSError)) and text:
        return text
    if isinstance(error, Refused):
        return text
    name = type(error).__name__
    return f"{name}: {text}" if text else name


def is_missing(executor, error):
    """Whether the backend is not installed, as opposed to anything that it or the executor needs."""
    return isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == executor.module


def batches(entries, sizes, max_memory):
    """Groups in the given order, each within the memory if its sizes are known."""
    group, used = [], 0
    for entry in entries:
        size = sizes.get(entry["name"], 0)
        if group and max_memory and used + size > max_memory:
            yield group
            group, used = [], 0
        group.append(entry)
        used += size
    if group:
        yield group


class Kept:
    """Executors by the model that each has loaded. What is there stays: taps come in the same order in every
    request, and throwing out the oldest would throw out the next.
    """

    def __init__(self):
        self.executors, self.bytes = {}, 0

    def add(self, key, executor, size, most):
        if most and self.bytes + size > most:
            return
        self.executors[key] = executor
        self.bytes += size

    def release(self):
        for executor in self.executors.values():
            executor.release()


class Session:
    """Answers one request with one executor, and those that were kept."""

    def __init__(self, executor, request, lines, kept):
        self.executor, self.request, self.lines, self.kept = executor, request, lines, kept
        self.config = request.get("options", {})
        self.inputs = {}
        self.cuts = self.reused = 0

    def run(self):
        """The program's exit code."""
        try:
            self.prepare()
        except Exception as error:
            return self.fail(error, final=True)
        try:
            self.run_taps()
            if self.reused:
                self.lines.send("note", text=f"{self.reused} of {self.cuts} cut models loaded already")
            self.send_ir()  # before the untouched model is loaded in the taps' place
            self.run_outputs()
            facts = {"version": self.executor.version(), **self.executor.facts()}
            for text in self.executor.notes():
                self.lines.send("note", text=text)
        except Exception as error:
            return self.fail(error, final=False)
        self.lines.send("done", facts={key: str(value) for key, value in facts.items()})
        return 0

    def fail(self, error, final):
        if is_missing(self.executor, error):
            print(f"It is not installed for {sys.executable}; the environment variable ASSAY_PYTHON names another Python.",
                  file=sys.stderr, flush=True)
        elif not isinstance(error, Refused):
            traceback.print_exc()
        self.lines.send("error", text=why(error), final=final)
        return 1

    def prepare(self):
        self.executor.version()  # where the backend is missing, nothing else matters
        from assay.arrays import read_array
        for key in self.config:
            if key not in self.executor.options:
                known = ", ".join(self.executor.options) or "none"
                raise Refused(f"no option '{key}' of this executor; it has: {known}")
        for entry in self.request.get("inputs", []):
            self.inputs[entry["name"]] = read_array(self.path(entry["file"]))
        self.executor.init(self.config)

    def path(self, file):
        return os.path.join(self.request["folder"], file)

    def run_taps(self):
        """Taps with models of their own fail alone; those of one model share a run and its failure."""
        def model_of(tap):
            return tap.get("model", "")

        every = self.request.get("taps", [])
        for model, group in itertools.groupby(every, model_of):
            taps = list(group)
            shared = len(taps) > 1 and len(taps) == len(every)
            if model and not shared:
                self.run_or_tell("tap", model, taps)
            else:
                self.run_model("tap", model or self.request["model"], taps)

    def run_outputs(self):
        outputs = self.request.get("outputs", [])
        if outputs:
            self.run_or_tell("output", self.request["model"], outputs)

    def run_or_tell(self, kind, model, entries):
        """A failure is told of the tensor that makes it: several are then tried one by one."""
        try:
            self.run_model(kind, model, entries)
        except Exception as error:
            left = [entry for entry in entries if not entry.get("told")]
            if len(left) == 1:
                traceback.print_exc()
                self.lines.send(kind, name=left[0]["name"], error=why(error))
                return
            for entry in left:
                self.run_or_tell(kind, model, [entry])

    def load(self, model, session):
        """Makes self.executor one that has this model; `session` names it for other requests."""
        if self.kept is None or not session or not self.executor.keeps:
            return self.executor.load_model(model, self.config)
        shapes = sorted((name, str(array.dtype), array.shape) for name, array in self.inputs.items())
        key = (session, str(shapes))
        self.cuts += 1
        if key in self.kept.executors:
            self.reused += 1
            self.executor = self.kept.executors[key]
            return None
        self.executor = type(self.executor)()
        self.executor.init(self.config)
        self.executor.load_model(model, self.config)
        return self.kept.add(key, self.executor, os.path.getsize(model), self.request.get("max_memory", 0))

    def run_model(self, kind, model, entries):
        self.load(model, entries[0].get("session"))
        sizes = self.executor.sizes([entry["name"] for entry in entries], self.inputs)
        for group in batches(entries, sizes, self.request.get("max_memory", 0)):
            names = [entry["name"] for entry in group]
            arrays = self.executor.execute(names, dict(self.inputs), self.config)
            for entry in group:
                self.send_tensor(kind, entry, arrays.pop(entry["name"], None))
                entry["told"] = True

    def send_tensor(self, kind, entry, array):
        from assay.arrays import dtype_name, write_array
        try:
            if array is None:
                raise LookupError("the backend did not return it")
            if isinstance(array, Exception):
                raise array
            path = write_array(self.path(entry["file"]), array)
        except Exception as error:
            self.lines.send(kind, name=entry["name"], error=why(error))
            return
        self.lines.send(kind, name=entry["name"], file=os.path.relpath(path, self.request["folder"]),
                        dtype=dtype_name(array), shape=list(array.shape))

    def send_ir(self):
        text = self.executor.ir_text() if self.request.get("want_ir") else ""
        if text:
            self.lines.send("ir", text=text)


def check(executor_class):
    """What `assay list executors` shows."""
    try:
        version = executor_class.version()
        executor_class.check()
        return {"usable": True, "version": version, "why": ""}
    except Exception as error:
        place = f" in {sys.executable}" if is_missing(executor_class, error) else ""
        return {"usable": False, "version": "", "why": why(error) + place}


def answer(executor_class, request, lines, kept):
    """The program's exit code."""
    executor = executor_class()
    try:
        return Session(executor, request, lines, kept).run()
    finally:
        executor.release()


def serve(executor_class):
    """Answers the request on standard input, or with `--stay` one per line, or `--check`, and ends the program."""
    lines = Lines()
    if sys.argv[1:] == ["--check"]:
        lines.send("check", **check(executor_class))
        sys.exit(0)
    kept, code = Kept() if sys.argv[1:] == ["--stay"] else None, 0
    try:
        for text in sys.stdin if kept else [sys.stdin.read()]:
            code = answer(executor_class, json.loads(text), lines, kept)
            if code:
                break
    finally:
        if kept:
            kept.release()
    # Some backends crash while Python takes them down, after all is done.
    lines.file.flush()
    sys.stderr.flush()
    os._exit(code)
