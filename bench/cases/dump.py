"""A real network of 330 tensors, 690 MB: run it, keep everything, in bounded memory."""
import json
import os
import shutil
import subprocess
import sys

import measure
from case import Bar, Case, at_most, megabytes, seconds
from context import HERE, BenchError, output_of

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
        info = json.loads((self.out / "dump_info.json").read_text())
        self.taps = info["node_output_info"]
        self.outputs = info["meta_info"]["output_names"]
        if len(self.taps) != 330 or not info["assay"]["outputs_unchanged"]["equal"]:
            raise BenchError("not every tensor was kept")
        files = sorted((self.out / "outputs").iterdir())
        self.bytes = sum(file.stat().st_size for file in files)
        self.work = self.ctx.data / "dump-plain"
        for folder in ("inputs", "outputs", ".plain"):
            (self.work / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(self.out / "inputs/x.npy", self.work / "inputs")
        kept = self.ctx.data / "dump-files"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.out / "outputs", kept)
        (self.ctx.data / "dump.files").write_text("".join(f"{kept / file.name}\n" for file in files))

    def dump(self):
        shutil.rmtree(self.out, ignore_errors=True)
        dims = [word for i, size in ((0, 1), (2, SIZE), (3, SIZE)) for word in ("--dim", f"x:{i}={size}")]
        run = measure.run([self.ctx.assay, "dump", f"onnxruntime:{self.path}", "-o", self.out, *dims,
                           "--input", "x=random,low=-1,high=1"])
        if run.code != 0:
            raise BenchError(f"dump ended with {run.code}: {run.errors}")
        return run.seconds

    def child(self, taps, memory, **how):
        """The executor alone: the untouched model, or with taps."""
        request = {"schema": "assay.request/1", "executor": "onnxruntime", "model": str(self.path),
                   "folder": str(self.work), "options": {}, "max_memory": memory,
                   "inputs": [{"name": "x", "file": "inputs/x.npy", "dtype": "f32", "shape": [1, 3, SIZE, SIZE]}],
                   "taps": [{"name": t["node_output_name"], "file": f"outputs/{t['index']}.npy"} for t in taps],
                   "outputs": [] if taps else [{"name": n, "file": f".plain/{i}.npy"} for i, n in enumerate(self.outputs)]}
        place = self.ctx.data / "dump-request.json"
        place.write_text(json.dumps(request))
        run = measure.run(["sh", "-c", f"exec '{self.ctx.assay}' __run onnxruntime < '{place}'"], **how)
        if run.code != 0:
            raise BenchError(f"the executor ended with {run.code}: {run.errors}")
        return run


def dump_case(ctx):
    net, seen = Net(ctx), {}

    def prepare():
        net.prepare()
        ctx.writer()
        seen["tight"] = net.child(net.taps, TIGHT, sample=True)

    def plain():
        argv = [ctx.writer(), "1", ctx.data / "dump.files", ctx.data / "dump-written"]
        return {"plain run": net.child([], 1 << 30).seconds, "plain writing": float(output_of(argv))}

    def bars(times):
        least = times["plain run"] + times["plain writing"]
        ratio = times["ours"] / least
        return [
            Bar("dump: 330 taps", seconds(times["ours"]), seconds(least), f"{ratio:.2f}x",
                f"<= {NO_MORE_THAN}x", ratio <= NO_MORE_THAN),
            at_most("dump: anonymous memory, 128 MB of taps", seen["tight"].peak_anon, ANONYMOUS, megabytes),
        ]

    return Case("dump", {"ours": lambda: {"ours": net.dump()}, "plain": plain}, bars, prepare, lambda: net.bytes)


def cases(ctx):
    return [dump_case(ctx)]
