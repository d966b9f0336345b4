"""A real network of 330 tensors, 690 MB: run it, keep everything, in bounded memory."""
import filecmp
import json
import os
import shutil
import subprocess
import sys

import measure
from case import Bar, Case, at_most, megabytes, seconds
from context import HERE, BenchError, fresh, output_of

ROOT = HERE.parent
SIZE = 640
NO_MORE_THAN = 1.5  # times plain run + plain writing
TIGHT = 128 << 20  # bytes of taps at once
ANONYMOUS = 300e6


def model():
    sys.path.insert(0, str(ROOT / "tests/real"))
    import models
    try:
        return models.path("v4-det")
    except models.Missing as missing:
        raise BenchError(str(missing)) from missing


def library():
    done = subprocess.run([ROOT / "tools/fetch_onnxruntime"], capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError(done.stderr.strip())
    return done.stdout.strip()


class Net:
    """The model, and a folder that holds what one dump of it left."""

    def __init__(self, ctx):
        self.ctx, self.out = ctx, ctx.data / "dump"

    def prepare(self):
        os.environ["ASSAY_ORT_LIB"] = library()
        self.path = model()
        self.dump()
        self.info = json.loads((self.out / "dump_info.json").read_text())
        if len(self.info["node_output_info"]) != 330 or not self.info["assay"]["outputs_unchanged"]["equal"]:
            raise BenchError("not every tensor was kept")
        self.kept = fresh(self.ctx.data / "dump-files") / "outputs"
        shutil.copytree(self.out / "outputs", self.kept)
        self.files = sorted(self.kept.iterdir())
        self.bytes = sum(file.stat().st_size for file in self.files)
        (self.ctx.data / "dump.files").write_text("".join(f"{file}\n" for file in self.files))

    def dump(self, *words, **how):
        """A run of the whole program."""
        dims = [word for i, size in ((0, 1), (2, SIZE), (3, SIZE)) for word in ("--dim", f"x:{i}={size}")]
        run = measure.run([self.ctx.assay, "dump", f"onnxruntime:{self.path}", "-o", fresh(self.out), *dims,
                           "--input", "x=random,low=-1,high=1", *words], **how)
        if run.code != 0:
            raise BenchError(f"dump ended with {run.code}: {run.errors}")
        return run

    def dump_tightly(self):
        """In several runs of the model; the same bytes."""
        run = self.dump("--max-memory", f"{TIGHT >> 20}M", sample=True)
        info = json.loads((self.out / "dump_info.json").read_text())
        if not any(note.startswith("taps in ") for note in info["assay"]["notes"]):
            raise BenchError("all taps came at once")
        for file in self.files:
            if not filecmp.cmp(file, self.out / "outputs" / file.name, shallow=False):
                raise BenchError(f"{file.name} has other bytes")
        return run

    def run_plainly(self):
        """The executor alone, the untouched model."""
        work = fresh(self.ctx.data / "dump-plain")
        (work / "inputs").symlink_to(self.out / "inputs")
        outputs = self.info["meta_info"]["output_names"]
        request = {"schema": "assay.request/1", "executor": "onnxruntime", "model": str(self.path),
                   "folder": str(work), "options": {}, "max_memory": 1 << 30, "taps": [],
                   "inputs": [{"name": "x", "file": "inputs/x.npy", "dtype": "f32", "shape": [1, 3, SIZE, SIZE]}],
                   "outputs": [{"name": name, "file": f"{i}.npy"} for i, name in enumerate(outputs)]}
        place = self.ctx.data / "dump-request.json"
        place.write_text(json.dumps(request))
        run = measure.run(["sh", "-c", f"exec '{self.ctx.assay}' __run onnxruntime < '{place}'"])
        if run.code != 0:
            raise BenchError(f"the executor ended with {run.code}: {run.errors}")
        return run


def dump_case(ctx):
    net, seen = Net(ctx), {}

    def prepare():
        net.prepare()
        ctx.writer()
        seen["tight"] = net.dump_tightly()

    def plain():
        argv = [ctx.writer(), "1", ctx.data / "dump.files", fresh(ctx.data / "dump-written")]
        return {"plain run": net.run_plainly().seconds, "plain writing": float(output_of(argv))}

    def bars(times):
        for name in ("dump", "dump-files", "dump-plain", "dump-written"):
            shutil.rmtree(ctx.data / name)
        least = times["plain run"] + times["plain writing"]
        ratio = times["ours"] / least
        return [
            Bar("dump: 330 taps", seconds(times["ours"]), seconds(least), f"{ratio:.2f}x",
                f"<= {NO_MORE_THAN}x", ratio <= NO_MORE_THAN),
            at_most("dump: anonymous memory, 128 MB of taps", seen["tight"].peak_anon, ANONYMOUS, megabytes),
        ]

    return Case("dump", {"ours": lambda: {"ours": net.dump().seconds}, "plain": plain}, bars, prepare,
                lambda: net.bytes)


def cases(ctx):
    return [dump_case(ctx)]
