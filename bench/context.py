"""What every case needs: the options, the data sets and the contenders."""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

import measure
from measure import BenchError

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"  # the one that has the distribution's NumPy
VERDICTS = (0, 1, 3)  # pass, fail and unsure are all honest work; 2 is trouble
RANK_OPS = 2000  # operators of the set of ranks


@dataclasses.dataclass
class Context:
    data: pathlib.Path
    assay: pathlib.Path
    scale: float
    rounds: int
    threads: int = 2
    troubles: list = dataclasses.field(default_factory=list)

    def require(self, name):
        """Generate the data set unless it is there."""
        script = [PYTHON, HERE / "generate.py", "--data", self.data]
        subprocess.run([*script, "--scale", str(self.scale), "--only", name], check=True)

    def warm(self, name):
        """The bars are about a warm page cache, whatever ran before."""
        buffer = bytearray(8 << 20)
        for path in self.files(name):
            read_all(path, buffer)

    def folder(self, name):
        return self.data / name / "golden", self.data / name / "target"

    def files(self, name):
        sides = self.folder(name)
        return sorted(path for side in sides for path in side.rglob("*") if path.is_file())

    def bytes(self, name):
        return sum(path.stat().st_size for path in self.files(name))

    # Contenders: each call is one round and gives {label: seconds}.

    def ours(self, golden, target, *options):
        run = self.compare(golden, target, *options)
        return {"ours": run.seconds}

    def numpy(self, mode, golden, target):
        """The script's own clock: without the start of Python and the import."""
        out = output_of([PYTHON, HERE / "baselines.py", mode, golden, target])
        return {f"numpy {mode}": float(out)}

    def page_cache(self, name):
        """One label per way to read, so that the best is chosen by its median."""
        files = self.data / f"{name}.files"
        files.write_text("".join(f"{path}\n" for path in self.files(name)))
        out = output_of([self.scanner(), str(self.threads), files])
        size = self.bytes(name)
        rates = [line.split() for line in out.splitlines()[:-1]]
        return {f"page cache {mode}": size / float(rate) / 1e9 for mode, rate in rates}

    def scanner(self):
        return self.built("scan_files")

    def writer(self):
        return self.built("write_files")

    def built(self, name):
        program, source = self.data / name, HERE / f"{name}.cc"
        if not program.exists() or older(program, source):
            flags = ["-std=c++20", "-O3", "-march=native", "-pthread"]
            subprocess.run(["c++", *flags, source, "-o", program], check=True)
        return program

    # Our program.

    def compare(self, golden, target, *options, **how):
        argv = [self.assay, "compare", golden, target, "--threads", self.threads]
        run = measure.run([*argv, *options], **how)
        self.judge(run, " ".join(map(str, argv[1:4])))
        return run

    def judge(self, run, what):
        """Exit 2 is noted and makes the bench fail; a signal ends the case."""
        if run.code < 0 or run.code == 127:
            raise BenchError(f"{what}: ended by {run.code}: {run.errors[-300:]}")
        if run.code not in (*VERDICTS, 130):
            self.troubles.append(f"{what}: exit {run.code}: {run.errors[-300:]}")

    def checked(self, golden, target, pairs, *options):
        """One untimed run with memory samples; it must have compared every pair."""
        report = self.data / "checked.json"
        report.unlink(missing_ok=True)
        run = self.compare(golden, target, *options, "-o", report, sample=True)
        try:
            compared = json.loads(report.read_text())["coverage"]["pairs"]
        except (OSError, ValueError, KeyError) as error:
            raise BenchError(f"no usable report: {error!r}: {run.errors}") from error
        if compared != pairs:
            raise BenchError(f"{compared} of {pairs} pairs were compared")
        return run


def output_of(argv):
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise BenchError(f"{argv[0]} {argv[1]}: exit {done.returncode}")
    return done.stdout


def fresh(folder):
    """Empty, and nothing of earlier rounds is being written back."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.sync()
    return folder


def older(program, source):
    return program.stat().st_mtime < source.stat().st_mtime


def read_all(path, buffer):
    """Large sequential reads, so that a cold file gets large folios too."""
    with open(path, "rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
        while file.readinto(buffer):
            pass


def drop(path):
    """Give the page cache back."""
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
