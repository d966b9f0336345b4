"""Compares Assay's metrics with NumPy's, to 1e-12; integers and counts exactly.

usage: run.py PROGRAM PAIRS_DIR
Also checks that the report is the same for any thread count, instruction set
and repetition, and what happens when the sides are swapped.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pairs as made
import reference

EXACT = {"count", "equal", "nan_golden", "nan_target", "inf_golden", "inf_target", "rel_undefined"}
# Differences of nearly equal numbers: their size, not their digits, is known.
SCALE = {"mean_golden": "l2_golden", "mean_target": "l2_target",
         "std_golden": "l2_golden", "std_target": "l2_target"}


def assay(program, *args):
    done = subprocess.run([program, "compare", *args, "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1, 2, 3), (args, done.returncode, done.stderr)
    return json.loads(done.stdout)


def number(value):
    return float(value) if isinstance(value, str) else value


def agrees(name, ours, wanted, all_wanted):
    ours = number(ours)
    if name in EXACT or isinstance(wanted, int):
        return ours == wanted
    if math.isinf(wanted):
        return ours == wanted
    slack = 1e-12 * abs(wanted)
    if name in SCALE:
        slack += 1e-15 * all_wanted[SCALE[name]]
    if name in ("cosine", "cosine_distance"):
        slack += 4e-16
    return abs(ours - wanted) <= slack


def check_row(row, golden, target):
    """Texts of what is wrong."""
    if golden.size != target.size:
        return [] if row["verdict"] == "fail" else ["a shape mismatch must fail"]
    wanted = reference.metrics(golden, target)
    wrong = []
    for name, value in wanted.items():
        ours = row["metrics"].get(name)
        overflow = isinstance(value, float) and not math.isfinite(value) and ours is None
        if ours is None and not overflow:
            wrong.append(f"{name} has no value, NumPy says {value}")
        elif not overflow and not agrees(name, ours, value, wanted):
            wrong.append(f"{name} is {ours}, NumPy says {value!r}")
    return wrong


def save_all(pairs, folder):
    for side in ("golden", "target"):
        os.makedirs(os.path.join(folder, side))
    for name, golden, target in pairs:
        np.save(os.path.join(folder, "golden", name + ".npy"), golden)
        np.save(os.path.join(folder, "target", name + ".npy"), target)


def same_for_all(program, folder):
    """Byte-identical without `run`, for any threads, simd and repetition."""
    listed = subprocess.run([program, "list", "simd", "--json"], capture_output=True, text=True)
    simds = [entry["name"] for entry in json.loads(listed.stdout)["simd"]]
    texts = set()
    for extra in [["--threads", n] for n in ("1", "2", "7")] + [["--simd", s] for s in simds] * 2:
        done = subprocess.run([program, "compare", folder + "/golden", folder + "/target",
                               "--json", "--metrics", "all", *extra], capture_output=True, text=True)
        texts.add(done.stdout[:done.stdout.rindex('"run":')])
    return len(texts) == 1, simds


def mirrored(program, folder):
    forward = assay(program, folder + "/golden", folder + "/target")
    backward = assay(program, folder + "/target", folder + "/golden")
    other = {row["name"]: row for row in backward["rows"]}
    for row in forward["rows"]:
        for name in ("max_abs", "rmse", "cosine"):
            if row["metrics"].get(name) != other[row["name"]]["metrics"].get(name):
                return f"{row['name']}: {name} changes when the sides are swapped"
    return ""


def main(program, pairs_dir):
    pairs = made.visible(pairs_dir) + made.generated()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        save_all(pairs, folder)
        report = assay(program, folder + "/golden", folder + "/target")
        rows = {row["name"]: row for row in report["rows"]}
        for name, golden, target in pairs:
            wrong = check_row(rows[name], golden, target)
            failed += bool(wrong)
            for text in wrong:
                print(f"{name}: {text}")
        same, simds = same_for_all(program, folder)
        if not same:
            failed += 1
            print("the report depends on threads or instruction set")
        text = mirrored(program, folder)
        failed += bool(text)
        print(text or f"{len(pairs)} pairs, threads 1 2 7, simd {' '.join(simds)}")
    print(f"{len(pairs) + 2 - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
