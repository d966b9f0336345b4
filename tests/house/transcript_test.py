#!/usr/bin/env python3
"""The transcript runner itself, tried on a fake program."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/cli"))

import transcript  # noqa: E402

FAKE = """#!/bin/sh
echo "OPERATOR  VERDICT"
echo "conv1     $1 in 0.${2:-12} s"
echo trouble >&2
exit 3
"""
GOOD = """# what it prints
$ assay fail
OPERATOR  VERDICT
conv1     fail in {{[0-9.]+}} s
trouble
[exit 3]

# and again
$ assay pass || ls
OPERATOR  VERDICT
...
golden
graphs
overflow
target
tfdbg
training
truncated
"""


class Matching(unittest.TestCase):
    def test_lines(self):
        for expected, output, same in [
                ([], [], True),
                ([], ["a"], False),
                (["a"], ["a"], True),
                (["a.c"], ["abc"], False),
                (["{{a.c}}"], ["abc"], True),
                (["x {{a|b}} y"], ["x b y"], True),
                (["x {{a|b}} y"], ["x a"], False),
                (['{"a":{"b":1}}'], ['{"a":{"b":1}}'], True),
                (["{{.*}}"], ["a", "b"], False),
                (["a", "...", "z"], ["a", "z"], True),
                (["a", "...", "z"], ["a", "b", "c", "z"], True),
                (["a", "..."], ["b"], False),
        ]:
            with self.subTest(expected=expected, output=output):
                self.assertEqual(transcript.matches(expected, output), same)

    def test_comments_and_blank_lines_belong_to_the_next_command(self):
        steps = transcript.parse(["$ a", "# title", "x", "", "# note", "$ b", "y", "[exit 2]", "# end"])
        self.assertEqual([(s.command, s.expected, s.exit) for s in steps],
                         [("a", ["# title", "x"], 0), ("b", ["y"], 2)])

    def test_output_that_no_transcript_can_hold(self):
        step, = transcript.parse(["$ a"])
        for output in (["$ b"], ["[exit 1]"], ["{{a+}}"]):
            with self.subTest(output=output), self.assertRaises(ValueError):
                transcript.rewritten(["$ a"], [transcript.Outcome(step, output, 0)])


class Running(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.program = pathlib.Path(scratch.name) / "fake"
        self.program.write_text(FAKE)
        self.program.chmod(0o755)
        self.file = pathlib.Path(scratch.name) / "x.test"

    def run_text(self, text, *options):
        self.file.write_text(text)
        done = subprocess.run([sys.executable, ROOT / "tests/cli/run.py", self.program, self.file, *options],
                              capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_good(self):
        self.assertEqual(self.run_text(GOOD), (0, "1 passed, 0 failed\n"))

    def test_bad_shows_a_diff(self):
        status, output = self.run_text(GOOD.replace("trouble", "peace").replace("exit 3", "exit 0"))
        self.assertEqual(status, 1)
        for line in ("$ assay fail", "-peace", "+trouble", "-[exit 0]", "+[exit 3]", "tools/check --update",
                     "0 passed, 1 failed"):
            self.assertIn(line, output.splitlines() if line[0] != "t" else output)
        self.assertNotIn("+conv1", output)

    def test_update_fills_in_and_keeps_patterns(self):
        pattern = "conv1     fail in {{[0-9.]+}} s"
        status, _ = self.run_text(f"$ assay fail\n{pattern}\n\n# again\n$ assay pass 2>&1 | head -n 2\n", "--update")
        self.assertEqual(status, 0)
        text = self.file.read_text()
        self.assertEqual(text, f"$ assay fail\nOPERATOR  VERDICT\n{pattern}\ntrouble\n[exit 3]\n\n# again\n"
                         "$ assay pass 2>&1 | head -n 2\nOPERATOR  VERDICT\nconv1     pass in 0.12 s\n")
        self.assertEqual(self.run_text(text)[0], 0)

    def test_no_command_is_a_failure(self):
        self.assertEqual(self.run_text("# nothing\n")[0], 1)


if __name__ == "__main__":
    unittest.main()
