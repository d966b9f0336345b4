"""The program under test, and what its reports must always be."""
import json
import subprocess


class Program:
    def __init__(self, path, seconds=120):
        self.path, self.seconds = path, seconds

    def run(self, *words, code=None):
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, text=True,
                              timeout=self.seconds)
        assert done.returncode >= 0, f"died of signal {-done.returncode}: {words}\n{done.stderr}"
        if code is not None:
            assert done.returncode == code, (done.returncode, words, done.stdout, done.stderr)
        return done

    def json(self, *words, code=None):
        return json.loads(self.run(*words, "--json", code=code).stdout)

    def start(self, *words):
        return subprocess.Popen([self.path, *map(str, words)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def simds(self):
        return [entry["name"] for entry in self.json("list", "simd")["simd"]]


def expect_whole(report):
    """Counts and coverage add up; every row and unpaired tensor says why."""
    assert report["schema"] == "assay.comparison/1"
    assert sum(report["counts"].values()) == len(report["rows"])
    assert report["coverage"]["pairs"] == len(report["rows"])
    for side in ("golden", "target"):
        cover = report["coverage"][side]
        assert cover["total"] == sum(cover[k] for k in ("compared", "unpaired", "skipped", "error"))
        listed = sum(u["side"] == side for u in report["unpaired"])
        used = {(o["file"], o["tensor"]) for row in report["rows"] for o in row[side]
                if side == "target" or "its own input" not in row["why_paired"]}
        if side == "target":
            used |= {(o["file"], o["tensor"]) for row in report["rows"] for o in row["golden"]
                     if "its own input" in row["why_paired"]}
        assert len(used) + listed == cover["total"], (side, len(used), listed, cover)
    for entry in report["rows"] + report["unpaired"]:
        assert entry["why"], entry
    for row in report["rows"]:
        assert ("error" in row) == (row["verdict"] == "error"), row
