"""Run the steps of files and report; shared by transcripts and docs tests."""
import os
import pathlib
import shutil
import subprocess

import transcript

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests/cli/data"


def copy_data(place):
    """The sample dumps, without the script that makes them."""
    shutil.copytree(DATA, place, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("make.py", "__pycache__"))


def run_file(path, program, find_steps, copies):
    """The lines of a file and the outcome of each of its steps."""
    lines = path.read_text(encoding="utf-8").splitlines()
    with transcript.Place(program, copies) as place:
        return lines, [place.run(step) for step in find_steps(lines)]


def name_of(path):
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def check(path, outcomes, update_command):
    """Print what differs; True if nothing does."""
    if not outcomes:
        print(f"{name_of(path)}: no command in it")
        return False
    bad = [outcome for outcome in outcomes if not outcome.ok]
    for outcome in bad:
        print(transcript.diff(name_of(path), outcome))
    if bad:
        print(f"to accept what it prints now: {update_command}")
    return not bad


def update(path, lines, outcomes):
    """Write the actual output into the file; True unless it cannot be."""
    try:
        new = transcript.rewritten(lines, outcomes)
    except ValueError as error:
        print(f"{name_of(path)}: {error}")
        return False
    if new != lines:
        path.write_text("\n".join(new) + "\n", encoding="utf-8")
        print(f"{name_of(path)}: updated")
    return True


def run_files(paths, options, find_steps, copies, update_command):
    """Run each file, print the counts; the exit code."""
    if not os.access(options.program, os.X_OK):
        print(f"{options.program}: no such program\n  hint  run make first")
        return 1
    good = []
    for path in map(pathlib.Path.resolve, paths):
        try:
            lines, outcomes = run_file(path, options.program, find_steps, copies)
        except subprocess.TimeoutExpired as error:
            print(f"{name_of(path)}: still running after {error.timeout:.0f} s: {error.cmd[-1]}")
            good.append(False)
            continue
        if options.update:
            good.append(update(path, lines, outcomes))
        else:
            good.append(check(path, outcomes, update_command))
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return 0 if all(good) else 1
