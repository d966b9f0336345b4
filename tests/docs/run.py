#!/usr/bin/env python3
"""Run the commands shown in README.md and docs/: tests/docs/run.py PROGRAM.

Every block fenced as ```console is a transcript. The commands of one page share
a directory that holds examples/ and the folders of tests/cli/data.
"""
import argparse
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/cli"))

import runner  # noqa: E402
import transcript  # noqa: E402

FENCE = "```"


def console_blocks(lines):
    """(first, last) line of the inside of every console block."""
    begin = tag = None
    for number, line in enumerate(lines):
        if not line.startswith(FENCE):
            continue
        if begin is None:
            begin, tag = number + 1, line[len(FENCE):].strip()
        else:
            if tag == "console":
                yield begin, number
            begin = None


def find_steps(lines):
    return [step for first, last in console_blocks(lines)
            for step in transcript.parse(lines, first, last)]


def copy_examples(place):
    if (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", place / "examples")


def pages():
    readme = ROOT / "README.md"
    found = ([readme] if readme.exists() else []) + sorted((ROOT / "docs").rglob("*.md"))
    return [page for page in found if find_steps(page.read_text(encoding="utf-8").splitlines())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="write the actual output into the pages")
    options = parser.parse_args()
    update_command = f"tests/docs/run.py {options.program} --update"
    sys.exit(runner.run_files(pages(), options, find_steps, [runner.copy_data, copy_examples], update_command))


if __name__ == "__main__":
    main()
