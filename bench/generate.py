#!/usr/bin/python3
"""Write the data sets of the benchmark; the same parameters give the same bytes.

A set is a folder DATA/NAME with golden/ and target/ below it and a stamp.json
that holds its parameters; a set whose stamp fits is left alone.
"""
import argparse
import json
import os
import pathlib
import shutil

import numpy as np

import ascend_dump
from context import RANK_OPS

VERSION = 2  # raise when the contents of a set change, so that old sets are replaced
CHUNK = 1 << 24  # elements written at once: 64 MiB, so the page cache gets large folios
SKEW = 2.2  # exponent on the log scale: 500 pairs of 1e3..1e7 elements come to about 2 GB

DISTRIBUTIONS = {
    "normal": lambda r, n: r.standard_normal(n, dtype=np.float32),
    "relu": lambda r, n: np.maximum(r.standard_normal(n, dtype=np.float32), 0),
    "uniform": lambda r, n: r.random(n, dtype=np.float32) * 6 - 3,
    "probability": lambda r, n: np.square(np.square(r.random(n, dtype=np.float32))),
    "heavy_tail": lambda r, n: np.power(r.standard_normal(n, dtype=np.float32), 5),
}


def with_rounding(rng, golden):
    """Noise of a few float32 roundings: a healthy pair, so that no second look is due."""
    size = np.float32(10 ** rng.uniform(-7, -6.4))
    noise = rng.standard_normal(golden.size, dtype=np.float32)
    return golden * (1 + size * noise)


def with_nonfinite(rng, golden):
    target = with_rounding(rng, golden)
    target[:: max(8, golden.size // 100)] = np.nan
    target[1 :: max(8, golden.size // 50)] = np.inf
    return target


BAD = [
    lambda rng, g: g * np.float32(1.01),
    lambda rng, g: np.roll(g, 1),
    lambda rng, g: g + np.float32(0.1) * rng.standard_normal(g.size, dtype=np.float32),
    lambda rng, g: np.where(np.arange(g.size) < g.size // 2, g, np.float32(0)),
]


def target_of(rng, golden, index):
    """4 % of the pairs are equal and 4 % are bad, spread evenly; two hold NaN and Inf."""
    if index in (60, 310):
        return with_nonfinite(rng, golden)
    if index % 25 == 7:
        return golden
    if index % 25 == 19:
        return BAD[index // 25 % len(BAD)](rng, golden)
    return with_rounding(rng, golden)


def npy_header(count):
    """The bytes before the values of a one-dimensional float32 npy file."""
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def write_npy(path, chunks, count):
    """Header and first chunk go in one call: a tiny file is one write."""
    head = npy_header(count)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for chunk in chunks:
        data = memoryview(np.ascontiguousarray(chunk, np.float32)).cast("B")
        written = os.writev(fd, [head, data])
        if written != len(head) + len(data):
            raise OSError(f"{path}: short write, is the disk full?")
        head = b""
    os.close(fd)


def write_pair(folder, name, golden, target):
    for side, values in (("golden", golden), ("target", target)):
        path = folder / side / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_npy(path, [values], values.size)


def skewed_sizes(rng, count, least, most):
    """Log-spaced and skewed small; shuffled, as real dumps are not ordered by size."""
    steps = np.linspace(0, 1, count) ** SKEW
    sizes = np.rint(least * (most / least) ** steps).astype(int)
    return rng.permutation(sizes)


def write_pairs(folder, count, least, most):
    kinds = list(DISTRIBUTIONS.values())
    sizes = skewed_sizes(np.random.default_rng(1), count, least, most)
    for index, size in enumerate(sizes):
        rng = np.random.default_rng([2, index])
        golden = kinds[index % len(kinds)](rng, size)
        name = f"layer{index // 50:03}/op{index:05}.npy"
        write_pair(folder, name, golden, target_of(rng, golden, index))


def generate_pairs(folder, scale):
    write_pairs(folder, 500, max(16, int(1e3 * scale)), max(16, int(1e7 * scale)))


def generate_tiny(folder, _scale):
    write_pairs(folder, 5000, 16, 10_000)


def generate_big(folder, scale):
    """One pair of 1 GiB each; made in chunks, and each side in one go, like a dump."""
    count = max(CHUNK // 16, int((1 << 28) * scale))
    for side in ("golden", "target"):
        (folder / side).mkdir(parents=True)
        write_npy(folder / side / "big.npy", big_chunks(side, count), count)


def big_chunks(side, count):
    for index, start in enumerate(range(0, count, CHUNK)):
        rng = np.random.default_rng([3, index])
        golden = DISTRIBUTIONS["normal"](rng, min(CHUNK, count - start))
        yield golden if side == "golden" else with_rounding(rng, golden)


def generate_many(folder, scale):
    """100 000 files in one flat folder per side: the walk and the pairing are the work."""
    count = max(100, int(100_000 * scale))
    rng = np.random.default_rng(4)
    golden = rng.standard_normal((count, 16), dtype=np.float32)
    target = with_rounding(rng, golden.ravel()).reshape(golden.shape)
    for side, values in (("golden", golden), ("target", target)):
        (folder / side).mkdir(parents=True)
        for index in range(count):
            write_npy(folder / side / f"op{index:06}.npy", [values[index]], 16)


def generate_sparse(folder, scale):
    """50 GB a side without using the disk: a header and a hole, which reads as zeros."""
    count = int(12.5e9 * scale)
    for side in ("golden", "target"):
        (folder / side).mkdir(parents=True)
        path = folder / side / "sparse.npy"
        path.write_bytes(npy_header(count))
        os.truncate(path, len(npy_header(count)) + 4 * count)


def ascend_shape(rng, layout, size):
    """A shape of about `size` elements that is no multiple of the blocks."""
    if layout == ascend_dump.NC1HWC0:
        side = int(rng.choice([7, 14, 28, 56]))
        return 1, max(3, size // side**2 - int(rng.integers(0, 16))), side, side
    if layout == ascend_dump.FRACTAL_NZ:
        columns = int(rng.choice([768, 1024, 2048, 3072, 4096])) - int(rng.integers(0, 16))
        return max(17, size // columns), columns
    return (size,)


def generate_ascend(folder, scale):
    """300 float16 device dumps of 40 KB..24 MB in three layouts, and float32 npy."""
    layouts = list(ascend_dump.PACKERS)
    sizes = skewed_sizes(np.random.default_rng(5), 300, 2e4, 12e6 * scale)
    for side in ("golden", "target"):
        (folder / side).mkdir(parents=True)
    for index, size in enumerate(sizes):
        rng = np.random.default_rng([6, index])
        layout = layouts[index % len(layouts)]
        shape = ascend_shape(rng, layout, int(size))
        golden = rng.standard_normal(shape, dtype=np.float32)
        packed = ascend_dump.PACKERS[layout](golden.astype(np.float16))
        time = 1700000000000000 + index
        name = f"Op.op{index:03}.{index}.7.{time}"
        dump = ascend_dump.dump_bytes(packed, layout, shape)
        (folder / "target" / name).write_bytes(dump)
        np.save(folder / "golden" / f"op{index:03}.0.{time}.npy", golden)


def generate_tree(folder, scale):
    """100 000 device dumps as 8 ranks write them in 5 steps; all hold the same."""
    operators = max(10, int(2500 * scale))
    values = np.zeros((4, 8), np.float16)
    dump = ascend_dump.dump_bytes(values, ascend_dump.ND, values.shape)
    for rank, step in np.ndindex(8, 5):
        leaf = folder / f"target/20240101000000/{rank}/model/1/{step}"
        leaf.mkdir(parents=True)
        for index in range(operators):
            time = 1700000000000000 + 100_000 * step + index
            (leaf / f"Op.op{index:04}.{index}.7.{time}").write_bytes(dump)


def dynamo_text(operators):
    """TorchAir's graph: a chain."""
    ops = (
        f'op {{\n  name: "Add_{i}"\n  type: "Add"\n'
        f'  input: "{f"Add_{i - 1}" if i else "x"}:0"\n}}\n'
        for i in range(operators)
    )
    return 'name: "graph_1"\n' + "".join(ops)


def generate_ranks(folder, scale):
    """TorchAir dumps of 2000 operators, 8 ranks and 8 tokens, on both sides."""
    operators = max(10, int(RANK_OPS * scale))
    for side in ("golden", "target"):
        for rank, token in np.ndindex(8, 8):
            top = folder / side / f"worldsize8_global_rank{rank}"
            leaf = top / f"20240101000000/{rank}/graph_1/1/{token}"
            leaf.mkdir(parents=True)
            values = np.arange(32, dtype=np.float16).reshape(4, 8) + rank + token / 8
            dump = ascend_dump.dump_bytes(values, ascend_dump.ND, values.shape)
            for i in range(operators):
                (leaf / f"Add.Add_{i}.{i}.0.{1700000000000000 + i}").write_bytes(dump)
        for rank in range(8):
            name = f"dynamo_original_graph_1_rank_{rank}_pid_1_ts_20240101000000000000.txt"
            (folder / side / name).write_text(dynamo_text(operators))


SETS = {
    "ranks": generate_ranks,
    "tree": generate_tree,
    "ascend": generate_ascend,
    "pairs": generate_pairs,
    "big": generate_big,
    "tiny": generate_tiny,
    "many": generate_many,
    "sparse": generate_sparse,
}


def ensure(data, name, scale):
    folder, stamp = data / name, data / name / "stamp.json"
    wanted = json.dumps(
        {"set": name, "scale": scale, "version": VERSION, "numpy": np.__version__}
    )
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"generating {folder} (scale {scale:g})", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    SETS[name](folder, scale)
    os.sync()  # write-back would otherwise run into the first measurements
    stamp.write_text(wanted)  # last, so that an interrupted run is generated anew


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=root / "build/bench-data")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", choices=SETS, action="append", metavar="|".join(SETS))
    options = parser.parse_args()
    for name in options.only or SETS:
        ensure(options.data, name, options.scale)


if __name__ == "__main__":
    main()
