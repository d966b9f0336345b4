"""Runs the checks where the producers are installed; started by run.py.

    checks.py PROGRAM FOLDER MODULE,... [WORD]...
"""
import importlib
import pathlib
import shutil
import sys
import time
import traceback
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "behaviour")]
from program import Program  # noqa: E402


def checks(modules, words):
    for module in modules:
        for name, check in list(vars(importlib.import_module(module)).items()):
            title = f"{module}.{name[6:]}"
            if name.startswith("check_") and all(word in title for word in words):
                yield title, check


def run(name, check, assay, folder):
    """True if it passes; one line, and what went wrong."""
    start = time.monotonic()
    folder.mkdir()
    try:
        check(assay, folder)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error}"[:500]
        print(f"FAILED  {name}: {pathlib.Path(place.filename).name}:{place.lineno}: {why}", flush=True)
        return False
    print(f"ok      {name} ({time.monotonic() - start:.1f} s)", flush=True)
    return True


def main(path, work, modules, *words):
    warnings.simplefilter("ignore")  # of the producers
    work = pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    assay = Program(path)
    results = [run(name, check, assay, work / name)
               for name, check in checks(modules.split(","), words)]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed, 0 skipped")
    return not all(results)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
