#!/usr/bin/env python3
"""Run transcript files against a program: tests/cli/run.py PROGRAM [FILES]."""
import argparse
import pathlib
import sys

import runner
import transcript

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="[all of tests/cli]")
    parser.add_argument("--update", action="store_true", help="write the actual output into the files")
    options = parser.parse_args()
    files = options.files or sorted(HERE.glob("*.test"))
    sys.exit(runner.run_files(files, options, transcript.parse, [runner.copy_data], "tools/check --update"))


if __name__ == "__main__":
    main()
