#!/usr/bin/env python3
"""Run the commands shown in README.md and docs/: tests/docs/run.py PROGRAM.

Every block fenced as ```console is a transcript. The commands of one page share
a directory that holds examples/, the folders of tests/cli/data, and those of
tests/data/compare as samples/.

What a page of docs/howto tells people to type is a transcript, or it needs a
device and stands in skipped.txt. A block fenced as ```console tensorflow is run by
tests/real, where TensorFlow is.
"""
import argparse
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests/cli"))

import runner  # noqa: E402
import transcript  # noqa: E402

FENCE = "```"
MOST_SKIPPED = 1  # commands that need a device


def blocks(lines, wanted):
    """(first, last) line of the inside of every block fenced with this tag."""
    begin = tag = None
    for number, line in enumerate(lines):
        if not line.startswith(FENCE):
            continue
        if begin is None:
            begin, tag = number + 1, line[len(FENCE):].strip()
        else:
            if tag == wanted:
                yield begin, number
            begin = None


def find_steps(lines, tag="console"):
    return [step for first, last in blocks(lines, tag)
            for step in transcript.parse(lines, first, last)]


def unlisted():
    """Commands in ```sh blocks of docs/howto that skipped.txt does not have, and entries that no page has."""
    listed = set((HERE / "skipped.txt").read_text(encoding="utf-8").splitlines())
    found = set()
    for page in sorted((ROOT / "docs/howto").glob("*.md")):
        lines = page.read_text(encoding="utf-8").splitlines()
        for first, last in blocks(lines, "sh"):
            found.update(line for line in lines[first:last] if line and not line.startswith("#"))
    if len(listed) > MOST_SKIPPED:
        return [f"skipped.txt has {len(listed)} lines, {MOST_SKIPPED} are allowed"]
    return [f"neither run nor in skipped.txt: {line}" for line in sorted(found - listed)] + \
        [f"in skipped.txt and nowhere else: {line}" for line in sorted(listed - found)]


def copy_examples(place):
    if (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", place / "examples")
    shutil.copytree(ROOT / "tests/data/compare", place / "samples")


def pages(without):
    readme = ROOT / "README.md"
    found = ([readme] if readme.exists() else []) + sorted((ROOT / "docs").rglob("*.md"))
    found = [page for page in found if str(page.relative_to(ROOT)) not in without]
    return [page for page in found if find_steps(page.read_text(encoding="utf-8").splitlines())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="write the actual output into the pages")
    parser.add_argument("--without", metavar="PAGE", action="append", default=[], help="a page about what this build has not")
    options = parser.parse_args()
    problems = unlisted()
    for problem in problems:
        print(problem)
    update_command = f"tests/docs/run.py {options.program} --update"
    code = runner.run_files(pages(options.without), options, find_steps, [runner.copy_data, copy_examples], update_command)
    sys.exit(1 if problems else code)


if __name__ == "__main__":
    main()
