"""Runs the checks where the producers are installed; started by run.py.

    checks.py PROGRAM FOLDER MODULE,... [WORD]...
"""
import importlib
import os
import pathlib
import shutil
import sys
import time
import traceback
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "behaviour")]
import models  # noqa: E402
import setup  # noqa: E402
from program import Program  # noqa: E402


def checks(modules, words):
    for module in modules:
        for name, check in list(vars(importlib.import_module(module)).items()):
            title = f"{module}.{name[6:]}"
            if name.startswith("check_") and all(word in title for word in words):
                yield title, check


def run(name, check, assay, folder):
    """How it went; one line, and what went wrong."""
    start = time.monotonic()
    folder.mkdir()
    try:
        check(assay, folder)
    except (models.Missing, setup.Missing) as why:
        print(f"SKIPPED {name}: {why}", flush=True)
        return "skipped"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error}"[:500]
        print(f"FAILED  {name}: {pathlib.Path(place.filename).name}:{place.lineno}: {why}", flush=True)
        return "failed"
    print(f"ok      {name} ({time.monotonic() - start:.1f} s)", flush=True)
    return "passed"


def main(path, work, modules, *words):
    warnings.simplefilter("ignore")  # of the producers
    work = pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    assay = Program(path)
    results = [run(name, check, assay, work / name)
               for name, check in checks(modules.split(","), words)]
    passed, failed, skipped = (results.count(state) for state in ("passed", "failed", "skipped"))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0 or (skipped > 0 and os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
