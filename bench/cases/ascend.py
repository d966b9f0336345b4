"""Ascend dumps: unpacked into npy, and compared with float32 npy."""
import shutil

import measure
from case import Case, at_most, megabytes, seconds, share_of
from context import HERE, PYTHON, fresh, output_of


def convert_case(ctx):
    """Against plain writing of the same bytes from memory, into a new folder too;
    np.save of the same arrays is printed for comparison."""
    dumps = ctx.folder("ascend")[1]
    out, kept, plain = (ctx.data / name for name in ("converted", "kept", "written"))
    seen = {}

    def convert(**how):
        argv = [ctx.assay, "convert", dumps, "--layout", "host", "--to", "npy"]
        fresh(out)
        run = measure.run([*argv, "-o", out, "--threads", ctx.threads], **how)
        ctx.judge(run, "convert")
        return run

    def prepare():
        ctx.require("ascend")
        ctx.warm("ascend")
        seen["run"] = convert(sample=True)
        shutil.rmtree(kept, ignore_errors=True)
        out.rename(kept)
        files = sorted(kept.rglob("*.npy"))
        (ctx.data / "written.files").write_text("".join(f"{path}\n" for path in files))
        seen["bytes"] = sum(path.stat().st_size for path in files)
        ctx.writer()

    def write():
        argv = [ctx.writer(), str(ctx.threads), ctx.data / "written.files"]
        return {"plain write": float(output_of([*argv, fresh(plain)]))}

    def save():
        argv = [PYTHON, HERE / "np_save.py", ctx.data / "written.files", fresh(plain)]
        return {"np.save": float(output_of(argv))}

    def bars(times):
        for folder in (out, kept, plain):
            shutil.rmtree(folder)
        return [
            share_of("convert: of plain writing rate", times["ours"], times["plain write"], 60),
            at_most("convert: anonymous memory", seen["run"].peak_anon, 100e6, megabytes),
        ]

    contenders = {"ours": lambda: {"ours": convert().seconds}, "save": save, "write": write}
    return Case("convert", contenders, bars, prepare, lambda: seen["bytes"])


def compare_case(ctx):
    golden, target = ctx.folder("ascend")
    seen = {}

    def prepare():
        ctx.require("ascend")
        ctx.warm("ascend")
        ctx.scanner()
        seen["run"] = ctx.checked(golden, target, len(ctx.files("ascend")) // 2)

    def bars(times):
        rate = "ascend: of page-cache rate"
        return [
            share_of(rate, times["ours"], times.best("page cache"), 45),
            at_most("ascend: anonymous memory", seen["run"].peak_anon, 100e6, megabytes),
        ]

    contenders = {
        "ours": lambda: ctx.ours(golden, target),
        "scan": lambda: ctx.page_cache("ascend"),
    }
    return Case("ascend", contenders, bars, prepare, lambda: ctx.bytes("ascend"))


def tree_case(ctx):
    """A large tree is indexed to find one tensor in it."""
    tree = ctx.folder("tree")[1]
    seen = {}

    def show():
        run = measure.run([ctx.assay, "show", tree, "op0007:output:0"])
        ctx.judge(run, "show")
        seen["run"] = run
        return {"ours": run.seconds}

    def bars(times):
        return [
            at_most("tree: 100 000 dumps indexed", times["ours"], 8 * ctx.scale, seconds),
            at_most("tree: resident memory", seen["run"].peak_rss, 600e6, megabytes),
        ]

    return Case("tree", {"ours": show}, bars, lambda: ctx.require("tree"))


def cases(ctx):
    return [convert_case(ctx), compare_case(ctx), tree_case(ctx)]
