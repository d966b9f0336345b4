#!/usr/bin/env python3
"""The tests of python/: tests/python/run.py [WORD]..."""
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "python"), str(HERE / "fakes"), str(HERE)]


def main(words):
    os.environ.pop("ASSAY_FUSION_SWITCH_FILE", None)
    loader = unittest.TestLoader()
    loader.testNamePatterns = ["*{}*".format(word) for word in words] or None
    result = unittest.TextTestRunner(verbosity=0).run(loader.discover(HERE, "test_*.py"))
    bad = len(result.failures) + len(result.errors)
    print("{} passed, {} failed, {} skipped".format(result.testsRun - bad - len(result.skipped), bad,
                                                    len(result.skipped)))
    return bool(bad) or not result.testsRun


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
