"""Compare against NumPy and against the page cache, whole processes of ours."""
import functools

import measure
from case import Case, at_most, megabytes, seconds, share_of, times_faster

ALLCLOSE, FULL, LIMIT = "numpy allclose", "numpy full", "page cache"


def contenders(ctx, name, golden, target, baselines, options):
    """Ours, the NumPy baselines and the page-cache limit of the same files."""
    numpy = {
        mode: functools.partial(ctx.numpy, mode, golden, target) for mode in baselines
    }
    ours = functools.partial(ctx.ours, golden, target, *options)
    return {"ours": ours, **numpy, "scan": functools.partial(ctx.page_cache, name)}


def ready(ctx, name, golden, target, seen):
    """Data, warm cache, and one checked run whose memory the bars may ask for."""
    ctx.require(name)
    ctx.warm(name)
    ctx.scanner()
    pairs = len(ctx.files(name)) // 2
    seen["run"] = ctx.checked(golden, target, pairs)


def pairs_case(ctx):
    golden, target = ctx.folder("pairs")

    def bars(times):
        ours = times["ours"]
        return [
            times_faster("pairs: x allclose+cosine", ours, times[ALLCLOSE], 10, 16),
            times_faster("pairs: x full set", ours, times[FULL], 35),
            share_of("pairs: of page-cache rate", ours, times.best(LIMIT), 50, 65),
        ]

    return folder_case(ctx, "pairs", golden, target, bars)


def tiny_case(ctx):
    golden, target = ctx.folder("tiny")

    def bars(times):
        each = times["ours"] / (len(ctx.files("tiny")) // 2)
        return [at_most("tiny: per pair", each, 25e-6, lambda s: f"{s * 1e6:.1f} us")]

    return folder_case(ctx, "tiny", golden, target, bars)


def folder_case(ctx, name, golden, target, bars):
    report = ()  # ours prints its table; NumPy's numbers are not written either
    numpy = "load", "allclose", "full"
    return Case(
        name,
        contenders(ctx, name, golden, target, numpy, report),
        bars,
        prepare=lambda: ready(ctx, name, golden, target, {}),
        bytes=lambda: ctx.bytes(name),
    )


def big_case(ctx):
    """Without the full set: it takes 13 GB of memory for this pair."""
    golden, target = (side / "big.npy" for side in ctx.folder("big"))
    seen = {}

    def bars(times):
        ours, anon = times["ours"], seen["run"].peak_anon
        return [
            times_faster("big: x allclose+cosine", ours, times[ALLCLOSE], 20),
            share_of("big: of page-cache rate", ours, times.best(LIMIT), 60, 85),
            at_most("big: anonymous memory", anon, 100e6, megabytes),
        ]

    return Case(
        "big",
        contenders(ctx, "big", golden, target, ("load", "allclose"), ()),
        bars,
        prepare=lambda: ready(ctx, "big", golden, target, seen),
        bytes=lambda: ctx.bytes("big"),
    )


def startup_case(ctx):
    """Many starts per round: one is too short to be told from noise."""

    def start():
        runs = [measure.run([ctx.assay, "--version"]) for _ in range(21)]
        for run in runs:
            ctx.judge(run, "--version")
        return {"ours": sorted(run.seconds for run in runs)[len(runs) // 2]}

    def bars(times):
        return [at_most("startup: --version", times["ours"], 10e-3, seconds)]

    return Case("startup", {"ours": start}, bars)


def cases(ctx):
    return [startup_case(ctx), tiny_case(ctx), pairs_case(ctx), big_case(ctx)]
