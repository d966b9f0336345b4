"""Large graph files: JSON against Python's json, the text form against libprotobuf."""
import os
import subprocess

import measure
from case import Case, at_most, megabytes, times_faster
from context import HERE, PYTHON, BenchError, older, output_of, read_all
from graph_files import name_of

OPERATORS = 20_000
MEMORY = 3  # times the size of the file
LOAD = "import json, sys, time; b = time.perf_counter(); json.load(open(sys.argv[1])); print(time.perf_counter() - b)"


def folder(ctx):
    """Written once for a number of operators and a version of the script."""
    count = max(100, int(OPERATORS * ctx.scale))
    place = ctx.data / f"graphs-{count}"
    last = place / "ge_proto_00000001_Build.txt"
    script = HERE / "graph_files.py"
    if not last.exists() or older(last, script):
        subprocess.run([PYTHON, script, place, str(count)], check=True)
    return place


def text_format(ctx):
    """The baseline's program; needs protoc and libprotobuf-dev."""
    program, parts = ctx.data / "text_format", [HERE / "text_format.cc", HERE / "ge.proto"]
    if program.exists() and not any(older(program, part) for part in parts):
        return program
    try:
        subprocess.run(["protoc", f"--proto_path={HERE}", f"--cpp_out={ctx.data}", "ge.proto"], check=True)
        sources = [HERE / "text_format.cc", ctx.data / "ge.pb.cc"]
        flags = ["-std=c++17", "-O3", "-DNDEBUG", f"-I{ctx.data}"]
        subprocess.run(["c++", *flags, *sources, "-o", program, "-lprotobuf", "-pthread"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BenchError(f"no baseline, are protoc and libprotobuf-dev there? {error}") from error
    return program


def graph_case(ctx, name, file_name, baseline, least):
    """`baseline` gives {label: seconds} for a file; ours has to be `least` times as fast.

    The baselines read and build, no more: so ours tells of one operator, and does not print all of them.
    """
    seen = {}

    def ours(**how):
        run = measure.run([ctx.assay, "graph", "info", seen["file"], name_of(0), "--json"], **how)
        ctx.judge(run, f"graph info {file_name}")
        return run

    def prepare():
        seen["file"] = folder(ctx) / file_name
        read_all(seen["file"], bytearray(8 << 20))
        seen["run"] = ours(sample=True)

    def size():
        return os.stat(seen["file"]).st_size

    def bars(times):
        label = next(label for label in times.values if label != "ours")
        return [
            times_faster(f"{name}: than {label}", times["ours"], times[label], least),
            at_most(f"{name}: resident memory", seen["run"].peak_rss, MEMORY * size(), megabytes),
        ]

    contenders = {"ours": lambda: {"ours": ours().seconds}, "baseline": lambda: baseline(seen["file"])}
    return Case(name, contenders, bars, prepare, size)


def cases(ctx):
    def json_load(path):
        return {"json.load": float(output_of([PYTHON, "-c", LOAD, path]))}

    def protobuf(path):
        return {"TextFormat": float(output_of([text_format(ctx), path]).split()[0])}

    return [
        graph_case(ctx, "graph-json", "model.json", json_load, 10),
        graph_case(ctx, "graph-text", "ge_proto_00000001_Build.txt", protobuf, 8),
    ]
