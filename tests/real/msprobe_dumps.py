"""Dumps of msprobe on the CPU: with values, statistics only, with hashes, two ranks."""
import functools
import json
import pathlib
import subprocess
import sys

import numpy
import torch
from values import expect_equal_to_itself, expect_same

MODEL = pathlib.Path(__file__).with_name("msprobe_model.py")
SECONDS = 300
# kind: task, summary_mode, ranks
KINDS = {"tensor": ("tensor", "statistics", 1), "statistics": ("statistics", "statistics", 1),
         "md5": ("statistics", "md5", 1), "ranks": ("statistics", "statistics", 2)}
TYPES = {"torch.float32": "f32", "torch.float64": "f64", "torch.bfloat16": "bf16",
         "torch.int64": "i64", "torch.bool": "bool", "torch.complex128": "c128"}
STATISTICS = {"min": "Min", "max": "Max", "mean": "Mean", "l2": "Norm"}


@functools.cache
def dumped(work, kind):
    """The folder of a dump, made when it is first asked for."""
    root = work / f"msprobe-{kind}"
    task, mode, ranks = KINDS[kind]
    processes = [subprocess.Popen([sys.executable, MODEL, root, task, mode, str(rank), str(ranks)],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                 for rank in range(ranks)]
    try:
        for process in processes:
            output, _ = process.communicate(timeout=SECONDS)
            assert process.returncode == 0, f"msprobe: {output[-1000:]}"
    finally:
        for process in processes:
            process.kill()
    return root


def entries(value):
    """What dump.json says of each tensor, in its order."""
    if isinstance(value, dict) and "dtype" in value and "shape" in value:
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from entries(item)


def number(said, name):
    """A statistic under assay's name. As norm of a scalar msprobe writes the scalar."""
    value = said[STATISTICS[name]]
    return abs(value) if name == "l2" and value is not None else value


def leaves(root):
    """Each step and process: its path, its tensors."""
    paths = sorted(root.glob("step*/*/dump.json"))
    return [(path.parent.relative_to(root).as_posix(),
             list(entries(json.loads(path.read_text())["data"]))) for path in paths]


def names_in(work):
    """A dump with values names every tensor; one without has the same tensors."""
    return [entry["data_name"].removesuffix(".pt")
            for entry in leaves(dumped(work, "tensor"))[0][1]]


def listed(assay, root):
    """Pairs of what assay shows and what dump.json says of it."""
    shown = assay.json("show", root, code=0)["tensors"]
    pairs = []
    for leaf, said in leaves(root):
        here = [tensor for tensor in shown if tensor["file"].startswith(leaf + "/")]
        assert len(here) == len(said), (leaf, len(here), len(said))
        pairs += zip(here, said)
    assert len(pairs) == len(shown) > 0
    return pairs


def expect_list(assay, root, names):
    """Names, types and shapes."""
    pairs = listed(assay, root)
    assert len(pairs) % len(names) == 0, (len(pairs), len(names))
    for i, (shown, said) in enumerate(pairs):
        want = (names[i % len(names)], TYPES[said["dtype"]], said["shape"])
        assert (shown["name"], shown["dtype"], shown["shape"]) == want, (shown, want)


def expect_skipped(report, entry_of):
    """Only a tensor without any number may be skipped."""
    for row in report["rows"]:
        if row["verdict"] == "skipped":
            said = entry_of[row["name"]]
            assert all(said.get(key) is None for key in STATISTICS.values()), (row, said)


def expect_statistics_only(assay, root, names):
    expect_list(assay, root, names)
    report = expect_equal_to_itself(assay, root)
    expect_skipped(report, dict(zip(names, leaves(root)[0][1])))
    return report


def check_tensor_dump(assay, folder):
    root = dumped(folder.parent, "tensor")
    expect_list(assay, root, names_in(folder.parent))
    report = expect_equal_to_itself(assay, root)
    cover = report["coverage"]["golden"]
    assert cover["compared"] == cover["total"] == len(report["rows"]), cover


def check_tensor_values(assay, folder):
    root = dumped(folder.parent, "tensor")
    assay.run("convert", root, "--to", "npy", "-o", folder, code=0)
    files = sorted(path.relative_to(root) for path in root.rglob("*.pt"))
    assert len(files) > 200, len(files)
    for path in files:
        array = numpy.load(folder / f"{path}.npy", allow_pickle=False)
        expect_same(array, torch.load(root / path), path)


def check_tensor_statistics(assay, folder):
    """assay computes what msprobe did, which rounds to the tensor's type."""
    for shown, said in listed(assay, dumped(folder.parent, "tensor")):
        if said["dtype"] == "torch.complex128":
            continue  # msprobe: of the magnitudes; assay: of the parts
        size = max(map(abs, (shown["min"] or 0, shown["max"] or 0, shown["l2"] or 0)))
        rounding = 2**-8 if said["dtype"] == "torch.bfloat16" else 2**-20
        for name in STATISTICS:
            want = number(said, name)
            near = 0 if name in ("min", "max") else rounding * size
            assert want is None or abs(shown[name] - want) <= near, (name, shown, said)


def check_statistics_dump(assay, folder):
    expect_statistics_only(assay, dumped(folder.parent, "statistics"), names_in(folder.parent))


def check_statistics_compared(assay, folder):
    """The report repeats msprobe's numbers."""
    root = dumped(folder.parent, "statistics")
    report = assay.json("compare", root, root, code=0)
    rows = {(row["golden"][0]["file"], row["name"]): row["metrics"] for row in report["rows"]}
    for shown, said in listed(assay, root):
        metrics = rows[shown["file"], shown["name"]]
        for name in STATISTICS:
            assert metrics.get(f"{name}_golden") == number(said, name), (name, metrics, said)


def check_statistics_shown(assay, folder):
    for shown, said in listed(assay, dumped(folder.parent, "statistics")):
        for name in STATISTICS:
            assert shown[name] == number(said, name), (name, shown, said)


def check_values_against_statistics(assay, folder):
    """The same model dumped both ways."""
    golden, target = (dumped(folder.parent, kind) for kind in ("tensor", "statistics"))
    report = assay.json("compare", golden, target)
    wrong = [row["name"] for row in report["rows"]
             if row["verdict"] not in ("pass", "trivial", "skipped")]
    assert report["exit"] == 0 and not report["unpaired"], (report["exit"], wrong)


def check_md5_dump(assay, folder):
    report = expect_statistics_only(assay, dumped(folder.parent, "md5"), names_in(folder.parent))
    for row in report["rows"]:
        assert (row["verdict"], row["evidence"]) == ("pass", "hash"), row


def check_ranks_dump(assay, folder):
    root = dumped(folder.parent, "ranks")
    said = leaves(root)
    assert [leaf for leaf, _ in said] == [f"step{s}/rank{r}" for s in (0, 1) for r in (0, 1)]
    shown = assay.json("show", root / said[0][0], code=0)["tensors"]
    names = [tensor["name"] for tensor in shown]
    assert set(names_in(folder.parent)) < set(names), "one process has more names than a rank"
    assert any(name.startswith("Distributed.all_reduce.") for name in names)
    for row in expect_statistics_only(assay, root, names)["rows"]:
        place = f"step{row['step']}/rank{row['rank']}/"
        assert row["golden"][0]["file"].startswith(place), row


def check_ranks_differ(assay, folder):
    """Ranks have other data: assay must see that."""
    step = dumped(folder.parent, "ranks") / "step0"
    report = assay.json("compare", step / "rank0", step / "rank1")
    assert report["exit"] in (1, 3), report["exit"]
    same = [row for row in report["rows"] if row["name"].endswith("parameters.weight")]
    assert same and all(row["verdict"] == "pass" for row in same), same
