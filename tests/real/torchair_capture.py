"""TorchAir's own configuration classes and FX dumper, of the torch-npu wheel, with Assay's helpers."""
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy

SCRIPT = pathlib.Path(__file__).with_name("torchair_script.py")
TORCH_NPU = pathlib.Path(sys.prefix) / "torch-npu"
SECONDS = 600
TIME = re.compile(r"\.\d{20}\.npy$")


@functools.cache
def ran(root):
    """(folder, settings) of the script, run when it is first asked for."""
    folder = root / "torchair"
    folder.mkdir()
    environment = dict(os.environ, TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    done = subprocess.run([sys.executable, "-W", "ignore", SCRIPT, TORCH_NPU, folder], env=environment,
                          capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder, json.loads(done.stdout.splitlines()[-1])


def arrays(folder):
    """{path without the time: array}."""
    return {TIME.sub("", path.relative_to(folder).as_posix()): numpy.load(path)
            for path in sorted(folder.rglob("*.npy"))}


def check_settings(assay, folder):
    place, said = ran(folder.parent)
    path = str(place / "d/msit_ge_dump")
    assert said["same"] and (said["step"], said["layer"], said["mode"]) == ("1|2|5", "Add Conv_1", "all"), said
    assert said["path"] == path and said["graph"] == ["txt", path], said
    assert said["fx"] == ["npy", str(place / "d/msit_fx_dump")], said


def check_what_the_compiler_is_told(assay, folder):
    place, said = ran(folder.parent)
    options = said["options"]
    assert options["ge.exec.enableDump"] == "1" and options["ge.exec.dumpStep"] == "1|2|5", options
    assert options["ge.exec.dumpLayer"] == "Add Conv_1" and options["ge.exec.dumpMode"] == "all", options
    assert options["ge.exec.dumpPath"] == str(place / "d/msit_ge_dump/worldsize1_global_rank0"), options
    assert options["ge.fusionSwitchFile"] == str(place / "fusion_switch.json"), options


def check_fx_files_are_torchairs(assay, folder):
    """fx_capture writes the same files as the real dumper: names, types, shapes and every byte."""
    place, _ = ran(folder.parent)
    for name in ("f32", "bf16"):
        real, ours = arrays(place / f"real-{name}/msit_fx_dump"), arrays(place / f"ours-{name}")
        assert real.keys() == ours.keys() and len(real) > 100, real.keys() ^ ours.keys()
        for path, want in real.items():
            got = ours[path]
            assert (got.dtype, got.shape) == (want.dtype, want.shape), path
            assert got.tobytes() == want.tobytes(), path


def check_types_compared(assay, folder):
    """The same block in f32 and bf16, as TorchAir dumped it: pairs, and what is found is explained by bf16."""
    place, _ = ran(folder.parent)
    report = assay.json("compare", place / "real-f32", place / "real-bf16")
    assert report["sources"]["golden"]["kind"] == report["sources"]["target"]["kind"] == "torchair-fx"
    cover = report["coverage"]
    assert cover["pairs"] == cover["golden"]["total"] == cover["target"]["total"] > 100, cover
    assert report["counts"]["fail"] == report["counts"]["error"] == 0, report["counts"]
    steps = {row["step"] for row in report["rows"]}
    assert steps == {0, 1}, steps


def check_equal_to_itself(assay, folder):
    place, _ = ran(folder.parent)
    report = assay.json("compare", place / "real-f32", place / "ours-f32", code=0)
    assert not report["unpaired"], report["unpaired"][:3]


def check_llm_compare(assay, folder):
    """The old command on the two dumps: a table with a row per tensor that both have."""
    place, _ = ran(folder.parent)
    done = assay.run("llm", "compare", "--golden-path", place / "real-f32", "--my-path", place / "real-bf16",
                     "--output", folder)
    tables = list(folder.glob("*.csv"))
    assert done.returncode == 0 and len(tables) == 1, (done.returncode, done.stderr[-500:], tables)
    assert len(tables[0].read_text().splitlines()) > 100, tables[0].read_text()[:500]
