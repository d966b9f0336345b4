"""An executor on NumPy for the nets of onnx_files; options make it misbehave.

die=NAME ends the process when that tap is asked for, hang=NAME sleeps then, garbage=NAME prints
nonsense instead of it, asleep=1 never answers, shape=NAME writes another shape, lie=NAME reports another shape than it writes, shift=X adds X to every
tensor of a run with taps, half=N ends after N taps, missing=1 cannot run at all, silent=NAME leaves it out, nofile=NAME reports it and writes nothing,
paint=1 says things that a terminal would obey.
"""
import json
import os
import sys
import time

import numpy as np


def say(**line):
    print(json.dumps(line), flush=True)


def tensors(request):
    x = np.load(os.path.join(request["folder"], request["inputs"][0]["file"]))
    a = np.maximum(x, 0)
    b = (a + np.float32(0.5)).astype(np.float32)
    c, d = np.split(b, 2)
    long = {f"n{i}": x + np.float32(i + 1) for i in range(300)}
    return {"a": a, "net/b": b, "c": c, "d": d, "e": -d, **long}


def write(request, kind, entry, array, options):
    name = entry["name"]
    if options.get("shape") == name:
        array = array.reshape(-1)
    if options.get("nofile") != name:
        np.save(os.path.join(request["folder"], entry["file"]), array)
    shape = [7] if options.get("lie") == name else list(array.shape)
    say(kind=kind, name=name, file=entry["file"], dtype="f32", shape=shape)


def taps(request, values, options):
    shift = np.float32(options.get("shift", 0))
    for number, entry in enumerate(request["taps"]):
        name = entry["name"]
        print(f"computing {name}", file=sys.stderr, flush=True)
        if options.get("die") == name or options.get("half") == str(number):
            os.kill(os.getpid(), 11)
        if options.get("hang") == name:
            time.sleep(1000)
        if options.get("garbage") == name:
            print("Segmentation violation {", flush=True)
            continue
        if options.get("silent") == name:
            continue
        write(request, "tap", entry, values[name] + shift, options)


def main():
    if sys.argv[1:] == ["--check"]:
        return say(kind="check", usable=True, version=np.__version__, why="")
    request = json.load(sys.stdin)
    options = request["options"]
    if "missing" in options:
        return say(kind="error", text="No module named 'sdaa'", final=True)
    if "asleep" in options:
        time.sleep(1000)
    values = tensors(request)
    taps(request, values, options)
    for entry in request["outputs"]:
        write(request, "output", entry, values[entry["name"]], {})
    red = "\x1b[31m" if "paint" in options else ""
    if request["want_ir"]:
        say(kind="ir", text="fn (%x) {\n  " + red + "relu(%x)\n}")
    if red:
        say(kind="note", text=red + "note")
    say(kind="done", facts={"version": np.__version__ + red})


main()
