"""A script that stops at tfdbg's prompt: as much of the conversation as `assay capture tf --interactive` holds.

It loses the first `pt` of one tensor, as a slow prompt does, and cannot save another.
"""
import shlex
import sys

import numpy

TENSORS = ["net/mm:0", "loop/add:0", "loop/add:0", "handle:0", "long/" + "x" * 300 + ":1"]
VALUES = {"net/mm:0": [[1.5, 2.5]], "loop/add:0": [3, 4], TENSORS[-1]: [7.0]}
lost = {"net/mm:0"}
step = 0


def list_tensors():
    print("%d dumped tensor(s):\n\nt (ms)  Size (B) Op type  Tensor name" % len(TENSORS))
    for name in TENSORS:
        print("[0.000]  100      Add      " + name)


def print_tensor(name, repeat, path):
    if name in lost:
        lost.discard(name)
        return print("ERROR: syntax error")
    if name not in VALUES:
        return print("ERROR: cannot convert")
    value = numpy.array(VALUES[name]) + step
    numpy.save(path, value[repeat] if name == "loop/add:0" else value)
    print("Saved value to: " + path)


def main():
    global step
    print("job output")
    if "--no-prompt" in sys.argv:
        return 0
    while True:
        print("\x1b[1mtfdbg> ", end="", flush=True)
        words = shlex.split(input())
        if words[0] == "run":
            ahead = int(words[2]) if len(words) > 1 else 1
            step += ahead
            print("run-end: run #%d" % step)
        elif words[0] == "lt":
            list_tensors()
        elif words[0] == "pt":
            print_tensor(words[1], int(words[3]), words[5])
        elif words[0] == "exit":
            return 1


if __name__ == "__main__":
    sys.exit(main())
