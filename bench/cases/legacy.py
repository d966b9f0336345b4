"""The float32 pass that the tables of msaccucmp need, against the plain one."""
import functools

from case import Case, at_most


def legacy_case(ctx, name, golden, target):
    """`both` is a run with the two passes."""

    def both():
        return {"both": ctx.ours(golden, target, "--metrics", "msaccucmp")["ours"]}

    def bars(times):
        plain = times["ours"]
        ratio = (times["both"] - plain) / plain
        return [at_most(f"legacy-{name}: float32 pass, x plain", ratio, 2.5, lambda x: f"{x:.2f}")]

    def prepare():
        ctx.require(name)
        ctx.warm(name)

    contenders = {"ours": functools.partial(ctx.ours, golden, target), "both": both}
    return Case(f"legacy-{name}", contenders, bars, prepare, lambda: ctx.bytes(name))


def cases(ctx):
    big = (side / "big.npy" for side in ctx.folder("big"))
    return [legacy_case(ctx, "pairs", *ctx.folder("pairs")), legacy_case(ctx, "big", *big),
            legacy_case(ctx, "tiny", *ctx.folder("tiny"))]
