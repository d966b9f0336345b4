"""The float32 pass that the tables of msaccucmp need, against the plain one."""
import functools

from case import Case, at_most


def cases(ctx):
    golden, target = ctx.folder("pairs")

    def both(*options):
        return {"both": ctx.ours(golden, target, *options)["ours"]}

    def bars(times):
        plain = times["ours"]
        ratio = (times["both"] - plain) / plain
        return [at_most("legacy: float32 pass, x plain", ratio, 2.5, lambda x: f"{x:.2f}")]

    def prepare():
        ctx.require("pairs")
        ctx.warm("pairs")

    return [Case(
        "legacy",
        {"ours": functools.partial(ctx.ours, golden, target),
         "both": functools.partial(both, "--metrics", "msaccucmp")},
        bars,
        prepare=prepare,
        bytes=lambda: ctx.bytes("pairs"),
    )]
