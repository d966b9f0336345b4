"""Runs the program as users do and checks what it leaves behind.

usage: run.py PROGRAM SAMPLES [WORD]...
Every function `check_*` of the modules here is one test; WORDs choose some by `module.name`.
"""
import importlib
import os
import pathlib
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import program


def modules(words):
    """Every file here, or that of `module.`; those without checks only help."""
    named = [word.split(".")[0] for word in words if "." in word]
    return [importlib.import_module(path.stem) for path in sorted(HERE.glob("*.py"))
            if path.stem in named or not named and path.stem != "run"]


def checks(words):
    for module in modules(words):
        for function, check in list(vars(module).items()):
            name = f"{module.__name__}.{function[6:]}"
            if function.startswith("check_") and all(word in name for word in words):
                yield name, check


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
    os.environ["ASSAY_PYTHON"] = sys.executable  # executors need NumPy too
    results = [run(name, check, program.Program(path), samples)
               for name, check in checks(words)]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return not (results and all(results))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
