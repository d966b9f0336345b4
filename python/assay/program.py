"""The program `assay`: where it is, how it is called, what it says when it fails."""
import os
import re
import shutil
import subprocess

TROUBLE = 2


class AssayError(Exception):
    """What the program said: `what` went wrong, `where`, and a `hint`; the last two may be empty."""

    def __init__(self, what, where="", hint="", code=TROUBLE):
        super().__init__(what, where, hint)
        self.what, self.where, self.hint, self.code = what, where, hint, code

    def __str__(self):
        lines = [self.what]
        if self.where:
            lines.append("  in    " + self.where)
        if self.hint:
            lines.append("  hint  " + self.hint)
        return "\n".join(lines)


def parse_error(text, code):
    """The last error of a standard error: `assay: what`, `  in    where`, `  hint  hint`."""
    at = [match.start() for match in re.finditer("^assay: ", text, re.M)]
    if not at:
        return AssayError(text.strip() or f"assay ended with code {code}", code=code)
    parts = {"what": [], "in": [], "hint": []}
    part = "what"
    for line in text[at[-1] + len("assay: "):].splitlines():
        label = re.match("  (in|hint) +", line)
        if label:
            part, line = label.group(1), line[label.end():]
        parts[part].append(line)
    what, where, hint = ("\n".join(parts[key]).strip() for key in ("what", "in", "hint"))
    return AssayError(what, where, hint, code)


def path():
    """ASSAY_PROGRAM, else the one this package came with, else the one of PATH."""
    named = os.environ.get("ASSAY_PROGRAM")
    if named:
        return named
    python = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for beside in ("../build/assay", "../../../bin/assay"):
        program = os.path.normpath(os.path.join(python, beside))
        if os.access(program, os.X_OK):
            return program
    found = shutil.which("assay")
    if found is None:
        raise AssayError("the program 'assay' is not here",
                         hint="build it with make, or name it in the environment variable ASSAY_PROGRAM")
    return found


def call(*words):
    """What `assay WORDS...` prints, and its AssayError if it did not end with 0."""
    done = subprocess.run([path(), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace")
    return done.stdout, parse_error(done.stderr, done.returncode) if done.returncode else None


def run(*words, codes=(0,)):
    """What `assay WORDS...` prints; a code that is not among `codes` is raised as AssayError."""
    text, error = call(*words)
    if error is not None and error.code not in codes:
        raise error
    return text
