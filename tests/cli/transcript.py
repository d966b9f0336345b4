"""Transcripts: commands and what they print, kept as text and run as tests.

    # a comment, directly above a command
    $ assay compare golden/ truncated/
    OPERATOR  VERDICT
    conv1     {{err.*}}
    ...
    [exit 2]

Output is stdout and stderr together. `{{RE}}` matches by regular expression, a
line `...` any number of lines; blank lines at the end do not count. Without
an `[exit N]` line the command must end with 0.
"""
import dataclasses
import difflib
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PYTHON_FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "python"
PROMPT = "$ "
EXIT = re.compile(r"\[exit (\d+)\]")
PIECE = re.compile(r"\{\{(.*?)\}\}")
ANY_LINES = "..."
TIMEOUT = 120


@dataclasses.dataclass
class Step:
    """One command; lines[begin:end] of its file are what it should print."""
    command: str
    begin: int
    end: int
    expected: list
    exit: int = 0


@dataclasses.dataclass
class Outcome:
    step: Step
    output: list
    exit: int

    @property
    def ok(self):
        return self.exit == self.step.exit and matches(self.step.expected, self.output)


def is_filler(line):
    return not line.strip() or line.startswith("# ")


def parse(lines, first=0, last=None):
    """The steps in lines[first:last]."""
    last = len(lines) if last is None else last
    starts = [i for i in range(first, last) if lines[i].startswith(PROMPT)]
    steps = []
    for start, stop in zip(starts, starts[1:] + [last]):
        step = Step(lines[start][len(PROMPT):], start + 1, stop, [])
        read_expected(step, lines)
        steps.append(step)
    return steps


def read_expected(step, lines):
    """Fill in output and exit code; comments above the next command stay out."""
    for i in range(step.begin, step.end):
        if match := EXIT.fullmatch(lines[i]):
            step.exit, step.end = int(match[1]), i + 1
            step.expected = strip_end(lines[step.begin:i])
            return
    while step.end > step.begin and is_filler(lines[step.end - 1]):
        step.end -= 1
    step.expected = lines[step.begin:step.end]


def strip_end(lines):
    lines = list(lines)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def line_pattern(line):
    if line == ANY_LINES:
        return r"(?:.*\n)*"
    parts = PIECE.split(line)
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = [f"(?:{part})" for part in parts[1::2]]
    return "".join(parts) + r"\n"


def matches(expected, output):
    pattern = "".join(map(line_pattern, expected))
    text = "".join(line + "\n" for line in output)
    return re.fullmatch(pattern, text) is not None


def as_written(expected, output):
    """The output, with expected lines that match by `{{RE}}` left as written."""
    loose = [line for line in expected if PIECE.search(line)]
    return [next((e for e in loose if matches([e], [line])), line) for line in output]


class Place:
    """A fresh directory to run steps in, with `assay` and a Python that has NumPy first on the path."""

    def __init__(self, program, copies):
        self._scratch = tempfile.TemporaryDirectory(prefix="assay-test-")
        scratch = pathlib.Path(self._scratch.name)
        self.work, programs = scratch / "work", scratch / "bin"
        self.work.mkdir()
        programs.mkdir()
        (programs / "assay").symlink_to(pathlib.Path(program).resolve())
        # A link would not find the packages of a virtual environment.
        python = sys.executable if importlib.util.find_spec("numpy") else "/usr/bin/python3"
        (programs / "python3").write_text(f'#!/bin/sh\nexec {python} "$@"\n')
        (programs / "python3").chmod(0o755)
        for copy in copies:
            copy(self.work)
        self._environment = environment(scratch, programs)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._scratch.cleanup()

    def run(self, step):
        done = subprocess.run(
            ["sh", "-c", step.command], cwd=self.work, env=self._environment, timeout=TIMEOUT,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text = done.stdout.decode("utf-8", "backslashreplace")
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        return Outcome(step, strip_end(text.split("\n")), status)


def environment(home, programs):
    kept = {key: os.environ[key] for key in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if key in os.environ}
    path = f"{programs}:{os.environ.get('PATH', '/usr/bin:/bin')}"
    return {**kept, "PATH": path, "HOME": str(home), "TMPDIR": str(home), "NO_COLOR": "1",
            "PYTHONPATH": str(PYTHON_FOLDER), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "100", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def diff(name, outcome):
    """What differs, as a unified diff with the command above it."""
    step = outcome.step
    expected = step.expected + [f"[exit {step.exit}]"]
    output = as_written(step.expected, outcome.output) + [f"[exit {outcome.exit}]"]
    lines = difflib.unified_diff(expected, output, f"{name}, line {step.begin}", "now", lineterm="", n=5)
    return "\n".join([PROMPT + step.command, *lines])


def rewritten(lines, outcomes):
    """The lines of a file, with each step's expectation set to its outcome."""
    lines = list(lines)
    for outcome in reversed(outcomes):
        step = outcome.step
        if outcome.ok:
            continue
        if ANY_LINES in step.expected:
            raise ValueError(f"'{step.command}' has a '...' line: change it by hand")
        new = as_written(step.expected, outcome.output)
        if outcome.exit or (new and is_filler(new[-1])):
            new.append(f"[exit {outcome.exit}]")
        check_readable(step, new, outcome)
        lines[step.begin:step.end] = new
    return lines


def check_readable(step, new, outcome):
    """Some outputs cannot be written as a transcript; say so at once."""
    again = parse([PROMPT + step.command, *new])
    if len(again) != 1 or not Outcome(again[0], outcome.output, outcome.exit).ok:
        raise ValueError(f"the output of '{step.command}' reads as a command, an exit line or a pattern")
