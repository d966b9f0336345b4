"""Dumps twice and tells which tensors are not the same: before two sides are compared, each must agree with itself.

    python3 -m assay.determinism -o check -- python3 dump.py {}

runs the command twice, with a folder of its own in place of {}. Without a command it looks at two dumps:

    python3 -m assay.determinism first/ second/

Arrays are compared bit by bit, by name without the time in it. Ends with 1 if some differ, 2 if nothing was compared.
"""
import argparse
import collections
import os
import re
import subprocess
import sys

import numpy

# NODE.INDEX.TIME.npy: times of ten to twenty digits say when, not what.
TIME = re.compile(r"\.\d{10,20}(?=(\.\d+)?\.npy$)")

Difference = collections.namedtuple("Difference", "name why")


def arrays_in(folder):
    """{name: [paths]}; a tensor that was dumped several times has several, in the order of their times."""
    found = collections.defaultdict(list)
    for root, _, files in os.walk(folder):
        for name in sorted(file for file in files if file.endswith(".npy")):
            below = os.path.relpath(os.path.join(root, TIME.sub("", name)), folder)
            found[below].append(os.path.join(root, name))
    return found


def difference(first, second):
    """Why two files are not the same; None if they are."""
    a, b = (numpy.load(path, mmap_mode="r", allow_pickle=False) for path in (first, second))
    if a.dtype != b.dtype or a.shape != b.shape:
        return "{} {} and {} {}".format(a.dtype, a.shape, b.dtype, b.shape)
    raw = [numpy.frombuffer(numpy.ascontiguousarray(array).tobytes(), numpy.uint8) for array in (a, b)]
    unequal = (raw[0] != raw[1]).reshape(a.size, -1).any(axis=1).sum() if a.size else 0
    return "{} of {} values".format(unequal, a.size) if unequal else None


def compare(first, second):
    """(number of compared arrays, [Difference])."""
    a, b = arrays_in(first), arrays_in(second)
    compared, found = 0, []
    for name in sorted(set(a) | set(b)):
        if len(a[name]) != len(b[name]):
            found.append(Difference(name, "dumped {} and {} times".format(len(a[name]), len(b[name]))))
        for pair in zip(a[name], b[name]):
            compared += 1
            why = difference(*pair)
            if why:
                found.append(Difference(name, why))
    return compared, found


def run_twice(command, folder):
    """Two folders, each filled by a run of the command."""
    folders = [os.path.join(folder, name) for name in ("first", "second")]
    for path in folders:
        if os.path.isdir(path) and os.listdir(path):
            raise FileExistsError("{} is not empty".format(path))
        os.makedirs(path, exist_ok=True)
        subprocess.run([word.replace("{}", path) for word in command], check=True)
    return folders


def parse_options(words):
    words = list(sys.argv[1:] if words is None else words)
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(prog="assay.determinism", description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*")
    parser.add_argument("-o", "--out", default="determinism", help="folder for the two dumps")
    options = parser.parse_args(words[:cut])
    options.command = words[cut + 1:]
    if bool(options.command) == bool(options.folders) or (options.folders and len(options.folders) != 2):
        parser.error("two folders, or -- and a command with {} in it")
    if options.command and not any("{}" in word for word in options.command):
        parser.error("the command has no {}: where would it dump to?")
    return options


def main(words=None):
    options = parse_options(words)
    try:
        folders = run_twice(options.command, options.out) if options.command else options.folders
    except (FileExistsError, subprocess.CalledProcessError) as problem:
        print("assay.determinism: {}".format(problem), file=sys.stderr)
        return 2
    compared, found = compare(*folders)
    for name, why in found:
        print("{}: {}".format(name, why))
    print("{} arrays compared, {} tensors differ".format(compared, len({entry.name for entry in found})))
    return 2 if not compared else 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
