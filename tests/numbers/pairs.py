"""Pairs of arrays to measure: those of the conformance set, and made ones."""
import glob
import os

import numpy as np


def visible(folder):
    out = []
    for path in sorted(glob.glob(os.path.join(folder, "*.golden.npy"))):
        name = os.path.basename(path)[:-len(".golden.npy")]
        out.append((name, np.load(path), np.load(path[:-len(".golden.npy")] + ".my.npy")))
    return out


def noisy(rng, dtype, n, relative, offset=0.0):
    g = rng.standard_normal(n) + offset
    t = g * (1 + relative * rng.standard_normal(n))
    return g.astype(dtype), t.astype(dtype)


def floats(rng):
    for n in (1, 7, 8, 9, 63, 4096, 8191, 8192, 8193, 100003):
        for dtype in ("f2", "f4", "f8"):
            yield (f"{dtype}_{n}", *noisy(rng, dtype, n, 1e-3))
    yield ("f4_far_from_zero", *noisy(rng, "f4", 50000, 1e-6, 1000.0))
    yield ("f8_far_from_zero", *noisy(rng, "f8", 50000, 1e-12, 1e6))
    g, t = noisy(rng, "f4", 30000, 1e-2)
    yield "f4_relu", np.maximum(g, 0), np.maximum(t, 0)
    yield "f4_tiny", (g * 1e-40).astype("f4"), (t * 1e-40).astype("f4")
    yield "f4_huge", (g * 1e37).astype("f4"), (t * 1e37).astype("f4")
    yield "f4_orthogonal", g, rng.standard_normal(30000).astype("f4")
    thousands = np.arange(1, 20001, dtype="f4") * 8
    yield "f4_ties", thousands, thousands + np.where(np.arange(20000) % 3 == 0, thousands / 1000, 0).astype("f4")
    yield "f4_fortran", np.asfortranarray(g.reshape(3, 100, 100)), t.reshape(3, 100, 100)
    yield "f4_big_endian", g.astype(">f4"), t
    yield "f4_one_block_of_chunk", *noisy(rng, "f4", (1 << 22) + 5, 1e-3)


def odd_values(rng):
    for name, bad in (("nan", np.nan), ("inf", np.inf), ("minus_inf", -np.inf)):
        for dtype in ("f2", "f4", "f8"):
            g, t = noisy(rng, dtype, 20000, 1e-3)
            t[12345] = bad
            yield f"{dtype}_{name}_target", g, t
            g = g.copy()
            g[12345] = g[5] = bad
            yield f"{dtype}_{name}_both", g, t
    yield "f4_all_nan", np.full(100, np.nan, "f4"), np.full(100, np.nan, "f4")
    yield "f8_overflow", np.array([1e300, -1e300] * 50), np.array([-1e300, 1e300] * 50)


def integers(rng):
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
        info = np.iinfo(dtype)
        g = rng.integers(info.min, info.max, 9000, dtype=dtype, endpoint=True)
        t = g.copy()
        t[::7] = rng.integers(info.min, info.max, t[::7].size, dtype=dtype, endpoint=True)
        yield f"{dtype}_full_range", g, t
        yield f"{dtype}_empty", g[:0], g[:0]
    big = np.full(20, 2 ** 62, "i8")
    yield "i8_off_by_one", big, big + 1
    yield "i8_against_u8", rng.integers(0, 9, 500), rng.integers(0, 9, 500).astype("u8")
    wide = rng.integers(0, 2 ** 64, 500, dtype="u8")
    yield "u4_against_u8", rng.integers(0, 2 ** 32, 500, dtype="u4"), wide
    yield "bool_against_u8", wide > 2 ** 63, wide
    yield "bool", rng.random(500) < 0.5, rng.random(500) < 0.5
    yield "i4_against_f4", rng.integers(0, 100, 500).astype("i4"), rng.random(500).astype("f4") * 100


def complexes(rng):
    for dtype in ("c8", "c16"):
        g = (rng.standard_normal(5001) + 1j * rng.standard_normal(5001)).astype(dtype)
        yield f"{dtype}", g, (g * (1 + 1e-3j)).astype(dtype)


def generated():
    rng = np.random.default_rng(20)
    out = []
    for maker in (floats, odd_values, integers, complexes):
        out += list(maker(rng))
    return out
