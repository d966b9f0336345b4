"""A folder that cannot be listed may hold tensors: a comparison without it does not pass."""
import os
import shutil

import numpy as np

import program

LEVELS, LONG = 20, "d" * 250  # deeper than any path may be long


def make_deep(folder):
    """Level by level: as a whole it has no path."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        for _ in range(LEVELS):
            os.mkdir(LONG)
            os.chdir(LONG)
    finally:
        os.chdir(here)


def check_nothing_passes_without_it(assay, folder, _samples):
    golden, target = (os.path.join(folder, side) for side in ("golden", "target"))
    for side in (golden, target):
        os.mkdir(side)
        np.save(os.path.join(side, "a.npy"), np.arange(100, dtype="f4"))
    assert assay.json("compare", golden, target, code=0)["verdict"] == "pass"
    make_deep(target)
    try:
        report = assay.json("compare", golden, target, code=2)
    finally:
        shutil.rmtree(os.path.join(target, LONG))
    program.expect_whole(report)
    assert report["verdict"] == "error" and report["counts"]["pass"] == 1, report
    assert report["why"].endswith("of the target side: cannot list: File name too long"), report["why"]
