"""Runs the program as users do and checks what it leaves behind.

usage: run.py PROGRAM SAMPLES [WORD]...
Every function `check_*` of the modules here is one test; WORDs choose some.
"""
import os
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bounds
import faults
import hdf5_pairs
import identical
import interrupt
import msaccucmp_pairs
import program
import python_api
import python_executors
import round_trip
import torchair_pairs

MODULES = (identical, interrupt, round_trip, bounds, faults, msaccucmp_pairs, torchair_pairs,
           hdf5_pairs, python_executors, python_api)


def checks(words):
    for module in MODULES:
        for name, check in vars(module).items():
            if name.startswith("check_") and all(word in name for word in words):
                yield f"{module.__name__}.{name[6:]}", check


def run(name, check, assay, samples):
    """True if it passes; prints what went wrong."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(assay, folder, samples)
        except Exception:
            print(f"{name}:\n{traceback.format_exc()}")
            return False
    print(f"{name} ({time.monotonic() - start:.1f} s)", flush=True)
    return True


def main(path, samples, *words):
    results = [run(name, check, program.Program(path), samples)
               for name, check in checks(words)]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return not all(results)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
