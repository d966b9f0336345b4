#!/usr/bin/env python3
"""Files of real producers, as their current versions write them, read by assay.

    tests/real/run.py [--assay PROGRAM] [--build FOLDER] [WORD]...

Every function `check_*` of the modules here is one check; WORDs choose some.
Where the producers cannot be installed all are skipped, and with CI=true that is a failure.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import setup  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MODULES = ("msprobe_dumps", "torch_files", "polygraphy_files", "tensorflow_capture", "tensorflow_versions",
           "torchair_capture", "model_runs", "runtimes", "docs_pages")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assay", type=pathlib.Path, default=ROOT / "build/assay")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build",
                        help="for the packages and the dumps [build]")
    parser.add_argument("words", nargs="*", metavar="WORD")
    return parser.parse_args()


def skip_all(why):
    """Returns the exit code."""
    names = [name for module in MODULES for name in
             re.findall(r"^def check_(\w+)", (HERE / f"{module}.py").read_text(), re.M)]
    print(f"real: SKIPPED, nothing of a real producer was read: {why}")
    print("  hint  needs python3.11 with venv, gcc, binutils and a package index for pip")
    needed = os.environ.get("CI") == "true"
    if needed:
        print("real: FAILED, with CI=true nothing may be skipped")
    print(f"0 passed, 0 failed, {len(names)} skipped", flush=True)
    return 1 if needed else 0


def main():
    options = parse_options()
    try:
        python = setup.ready(options.build.resolve() / "real-venv")
    except setup.Missing as missing:
        return skip_all(missing)
    # Some virtual machines announce AMX and have none.
    environment = os.environ | {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_FP16",
                                "GLOO_SOCKET_IFNAME": "lo", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([python, HERE / "checks.py", options.assay.resolve(),
                           options.build.resolve() / "real-data", ",".join(MODULES),
                           *options.words], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
