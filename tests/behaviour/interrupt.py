"""Ctrl-C: exit 130, and a complete report of what was finished."""
import json
import os
import signal
import sqlite3
import time

import dumps
import program

FILES, FLOATS = 20, 1 << 29  # 40 GiB on each side, in name


def write_large(folder):
    for side in ("golden", "target"):
        os.makedirs(os.path.join(folder, side))
        for i in range(FILES):
            dumps.hole(os.path.join(folder, side, f"big{i}.npy"), FLOATS)
        dumps.hole(os.path.join(folder, side, "small.npy"), 100)


def interrupted(assay, folder, which):
    """Starts a long comparison, sends the signal once it measures."""
    write_large(folder)
    at = lambda name: os.path.join(folder, name)
    process = assay.start("compare", at("golden"), at("target"), "--json",
                          "-o", at("x.json"), "-o", at("x.assay"))
    for line in process.stderr:
        if line.startswith("pairing:"):
            break
    time.sleep(0.5)
    assert process.poll() is None, "it was finished before the signal"
    sent = time.monotonic()
    process.send_signal(which)
    out, _ = process.communicate(timeout=60)
    assert time.monotonic() - sent < 20, "it took its time to stop"
    assert process.returncode == 130, process.returncode
    return out


def check_report_is_complete(assay, folder, _samples):
    out = interrupted(assay, folder, signal.SIGINT)
    with open(os.path.join(folder, "x.json"), encoding="utf-8") as file:
        report = json.load(file)
    assert json.loads(out) == report
    program.expect_whole(report)
    assert report["exit"] == 130 and len(report["rows"]) == FILES + 1
    verdicts = {row["verdict"] for row in report["rows"]}
    assert "skipped" in verdicts and verdicts <= {"skipped", "trivial"}, verdicts
    for row in report["rows"]:
        if row["verdict"] == "skipped":
            assert "interrupted" in row["why"], row["why"]
            assert not row.get("metrics"), row
    same_run_file(assay, folder, report)
    assert not [name for name in os.listdir(folder) if ".part-" in name]


def same_run_file(assay, folder, report):
    path = os.path.join(folder, "x.assay")
    with sqlite3.connect(path) as database:
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
    database.close()
    assert assay.json("show", path, code=0) == report


def check_sigterm_too(assay, folder, _samples):
    report = json.loads(interrupted(assay, folder, signal.SIGTERM))
    program.expect_whole(report)
    assert report["exit"] == 130
