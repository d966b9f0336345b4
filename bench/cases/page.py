"""The page of a run with 50 000 operators and 100 000 rows, in a real browser."""
import json
import shutil
import statistics
import subprocess

import measure
from case import Bar, Case, at_most, megabytes, seconds
from context import BenchError, HERE, PYTHON, older, output_of

OPERATORS = 50_000
FOLDERS = ("drawing", "base")


def layout_program(ctx):
    """Linked with the library that the program under test was made of."""
    out, source = ctx.data / "draw_graph", HERE / "draw_graph.cc"
    libraries = [ctx.assay.parent / "src" / f"libassay_{name}.a" for name in FOLDERS]
    if not out.exists() or any(older(out, path) for path in (source, *libraries)):
        flags = ["-std=c++20", "-O2", f"-I{HERE.parent / 'src'}"]
        subprocess.run(["c++", *flags, source, *libraries, "-o", out], check=True)
    return out


def probe(ctx, packages, file):
    """Figures of a page in milliseconds; no file: an empty page."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    module = HERE.parent / "tests/page/browser.mjs"
    return json.loads(output_of(["node", HERE / "page_probe.mjs", module, browser, packages, file]))


def cases(ctx):
    run, html = ctx.data / "page.assay", ctx.data / "page.html"
    packages = ctx.assay.parent / "tests/page"
    seen = {}

    def prepare():
        if not (shutil.which("node") and shutil.which("chromium")):
            raise BenchError("node or chromium is not here: run tools/setup")
        if not (packages / "node_modules").exists():
            raise BenchError("the browser's driver is not here: run 'make test' first")
        if not run.exists():
            subprocess.run([PYTHON, HERE / "page_run.py", run, str(int(OPERATORS * ctx.scale))], check=True)
        write()
        seen["size"] = html.stat().st_size
        seen["layout"] = float(output_of([layout_program(ctx), str(int(OPERATORS * ctx.scale))]))

    def write():
        done = measure.run([ctx.assay, "show", run, "-o", html])
        ctx.judge(done, "show -o page.html")
        return {"ours": done.seconds}

    def browse():
        for name, file in (("ours", html), ("empty", "")):
            for key, value in probe(ctx, packages, file).items():
                seen.setdefault(f"{name} {key}", []).append(value / 1000)
        return {}

    def frame(name):
        ours, empty = (statistics.median(seen[label]) for label in (f"ours frame_{name}", "empty frame"))
        return Bar(f"page: frame, {name}", seconds(ours), seconds(empty), "-", "<= 16 ms", ours <= 0.016)

    def bars(_times):
        ours, empty = (statistics.median(seen[label]) for label in ("ours paint", "empty paint"))
        paint = Bar("page: first paint", seconds(ours), seconds(empty), "-", "<= 2.000 s", ours <= 2)
        return [at_most("page: size of the file", seen["size"], 15e6, megabytes),
                at_most("page: layout of a graph", seen["layout"], 1.0, seconds), paint,
                at_most("page: sort 100 000 rows", statistics.median(seen["ours sort"]), 0.2, seconds),
                frame("near"), frame("middle"), frame("far")]

    return [Case("page", {"write": write, "browse": browse}, bars, prepare)]
