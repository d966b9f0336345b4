"""Shrinking a dump while a job writes it, against the job alone."""
import shutil

import measure
from case import Case, at_most, megabytes, share_of
from context import fresh

JOB = ("cp", "-r")


def cases(ctx):
    dumps, out = ctx.folder("ascend")[1], ctx.data / "watched"
    seen = {}

    def watch(**how):
        target = fresh(out) / "dump"
        run = measure.run([ctx.assay, "watch", out, "--threads", ctx.threads, "--", *JOB, dumps, target], **how)
        left = [path for path in target.rglob("*") if not path.name.endswith("_min_max.npz")]
        if run.code != 0 or left:
            ctx.troubles.append(f"watch left {len(left)} files, exit {run.code}")
        return run

    def prepare():
        ctx.require("ascend")
        ctx.warm("ascend")
        seen["run"] = watch(sample=True)

    def copy():
        return {"cp": measure.run([*JOB, dumps, fresh(out) / "dump"]).seconds}

    def bars(times):
        shutil.rmtree(out)
        return [
            share_of("watch: of plain cp rate", times["ours"], times["cp"], 50),
            at_most("watch: anonymous memory", seen["run"].peak_anon, 100e6, megabytes),
        ]

    contenders = {"ours": lambda: {"ours": watch().seconds}, "cp": copy}
    size = lambda: sum(path.stat().st_size for path in dumps.rglob("*") if path.is_file())
    return [Case("watch", contenders, bars, prepare, size)]
