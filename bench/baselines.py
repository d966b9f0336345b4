#!/usr/bin/python3
"""The NumPy baselines: what a user's own script would do, one pair after the other.

usage: baselines.py load|allclose|full GOLDEN TARGET    prints the seconds of the work
Two folders are paired by relative path. The clock starts after the import and
after the pairs are listed, which is generous to NumPy.
"""
import pathlib
import sys
import time

import numpy as np

RTOL, ATOL = 1e-3, 1e-5


def load(golden, target):
    """Nothing but np.load: the floor of every NumPy tool."""
    return golden.size + target.size


def allclose(golden, target):
    """The two numbers most scripts print: np.allclose and the cosine, in float32."""
    close = np.allclose(target, golden, RTOL, ATOL)
    norms = np.linalg.norm(golden) * np.linalg.norm(target)
    return close, np.dot(golden, target) / norms


def side(values):
    """Minimum, maximum, mean, deviation and norm of one side."""
    norm = np.sqrt(np.dot(values, values))
    return values.min(), values.max(), values.mean(), values.std(), norm


def counts(golden, target):
    """NaN, Inf and equal elements."""
    count = np.count_nonzero
    nans = count(np.isnan(golden)), count(np.isnan(target))
    infs = count(np.isinf(golden)), count(np.isinf(target))
    return nans + infs + (count(golden == target),)


def errors(golden, target):
    """Absolute errors: largest, mean, rmse, and their norm against golden's."""
    diff = target - golden
    squares = np.dot(diff, diff)
    size = np.abs(diff, out=diff)
    rel_l2 = np.sqrt(squares / np.dot(golden, golden))
    return size, (size.max(), size.mean(), np.sqrt(squares / size.size), rel_l2)


def relative(diff, golden):
    """Relative errors, and the shares within 1e-3, 5e-3 and the tolerance."""
    size = np.abs(golden)
    within = np.count_nonzero(diff <= ATOL + RTOL * size)
    size[size == 0] = np.inf  # leaves zeros out; far faster than divide(where=)
    rel = np.divide(diff, size, out=size)
    shares = np.count_nonzero(rel <= 1e-3), np.count_nonzero(rel <= 5e-3)
    return (rel.max(), rel.mean()) + shares + (within,)


def full(golden, target):
    """About our one-pass set, 25 numbers, in float64 and without NaN and Inf."""
    counted = counts(golden, target)
    if sum(counted[:4]):
        finite = np.isfinite(golden) & np.isfinite(target)
        golden, target = golden[finite], target[finite]
    golden, target = golden.astype(np.float64), target.astype(np.float64)
    sides = side(golden) + side(target)
    cosine = np.dot(golden, target) / (sides[4] * sides[9])
    diff, absolute = errors(golden, target)
    return counted + sides + (cosine,) + absolute + relative(diff, golden)


WORK = {"load": load, "allclose": allclose, "full": full}


def list_pairs(golden, target):
    if golden.is_file():
        return [(golden, target)]
    return [(p, target / p.relative_to(golden)) for p in sorted(golden.rglob("*.npy"))]


def seconds_of(work, pairs):
    begin = time.perf_counter()
    for golden, target in pairs:
        work(np.load(golden).ravel(), np.load(target).ravel())
    return time.perf_counter() - begin


def blas():
    """The library that np.dot ends in: it makes a difference of some percent."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split()[-1] for line in maps if "blas" in line}
    return ", ".join(sorted(paths)) or "its own BLAS"


def main():
    if sys.argv[1:] == ["--version"]:
        print(np.__version__, "with", blas())
        return
    mode, golden, target = sys.argv[1:]
    pairs = list_pairs(pathlib.Path(golden), pathlib.Path(target))
    with np.errstate(all="ignore"):
        print(seconds_of(WORK[mode], pairs))


if __name__ == "__main__":
    main()
