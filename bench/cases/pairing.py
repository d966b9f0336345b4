"""Pairing alone: ten million tensors that exist in memory only."""
import subprocess

from case import Case, at_most, megabytes, seconds
from context import BenchError, HERE, older, output_of

COUNT = 10_000_000  # tensors, both sides together
FOLDERS = ("pairing", "sources", "codecs", "graphs", "kernel", "core", "base")


def program(ctx):
    """Linked with the libraries that the program under test was made of."""
    out, source = ctx.data / "pair_tensors", HERE / "pair_tensors.cc"
    folder = ctx.assay.parent / "src"
    libraries = [folder / f"libassay_{name}.a" for name in FOLDERS]
    if not out.exists() or any(older(out, path) for path in (source, *libraries)):
        flags = ["-std=c++20", "-O2", "-pthread", f"-I{HERE.parent / 'src'}"]
        subprocess.run(["c++", *flags, source, *libraries, "-lfmt", "-lre2", "-lz", "-o", out],
                       check=True)
    return out


def pairing_case(ctx):
    count = int(COUNT * ctx.scale)
    seen = {}

    def ours():
        time, memory, pairs = output_of([program(ctx), str(count)]).split()
        if int(pairs) != count // 2:
            raise BenchError(f"{pairs} pairs of {count} tensors")
        seen["memory"] = float(memory)
        return {"ours": float(time)}

    def bars(times):
        return [
            at_most("pairing: ten million tensors", times["ours"], 60 * ctx.scale, seconds),
            at_most("pairing: resident memory", seen["memory"], 4e9 * ctx.scale, megabytes),
        ]

    return Case("pairing", {"ours": ours}, bars)


def cases(ctx):
    return [pairing_case(ctx)]
