"""Sizes that break a careless program: very many files, and a very large one."""
from case import Bar, Case, at_most, failed, megabytes, seconds
from context import BenchError, drop

OPEN_AND_PAIR = 5.0  # seconds for 100 000 files a side
PER_PAIR = 25e-6  # seconds, as for the tiny pairs
SETTLED = 2.0  # seconds until buffers and threads are in place


def many_case(ctx):
    """100 000 files a side, in one folder each."""
    golden, target = ctx.folder("many")
    seen = {}

    def prepare():
        ctx.require("many")
        ctx.warm("many")
        seen["pairs"] = len(ctx.files("many")) // 2
        seen["run"] = ctx.checked(golden, target, seen["pairs"])

    def bars(times):
        most = OPEN_AND_PAIR * ctx.scale + PER_PAIR * seen["pairs"]
        return [
            at_most("many: whole compare", times["ours"], most, seconds),
            at_most("many: resident memory", seen["run"].peak_rss, 500e6, megabytes),
        ]

    def ours():
        return ctx.ours(golden, target)

    return Case("many", {"ours": ours}, bars, prepare)


def sparse_case(ctx):
    """A 50 GB pair, watched for a while and interrupted: a whole pass takes long.
    The memory is what counts, so the one run is made while preparing."""
    golden, target = (side / "sparse.npy" for side in ctx.folder("sparse"))
    seen = {}

    def prepare():
        ctx.require("sparse")
        limit = max(2 * SETTLED, 20 * ctx.scale)
        try:
            run = ctx.compare(golden, target, interrupt_after=limit)
        finally:
            for path in (golden, target):
                drop(path)  # zeros that would push everybody's files out
        if run.seconds >= limit and run.code != 130:
            raise BenchError(f"exit {run.code} after SIGINT, not 130")
        seen["run"] = run

    def bars(_times):
        run = seen["run"]
        return [
            at_most("sparse: anonymous memory", run.peak_anon, 100e6, megabytes),
            flat("sparse: memory stays flat", run.samples, 10e6),
        ]

    return Case("sparse", {}, bars, prepare)


def flat(name, samples, slack):
    """The last sample against the first one after the start has settled."""
    if not samples:
        return failed(name, "no sample")
    first = next((anon for at, anon in samples if at >= SETTLED), samples[-1][1])
    last = samples[-1][1]
    shown = megabytes(last), megabytes(first), f"{(last - first) / 1e6:+.1f} MB"
    return Bar(name, *shown, f"<= +{megabytes(slack)}", last - first <= slack)


def cases(ctx):
    return [many_case(ctx), sparse_case(ctx)]
