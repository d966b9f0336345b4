"""Constant memory, bad ends of pipes, and sources left as they were."""
import hashlib
import os
import resource
import subprocess

import dumps


def peak_of(words):
    """Exit code and peak memory in MB of one run."""
    script = ("import resource, subprocess, sys;"
              "code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode;"
              "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)")
    done = subprocess.run(["/usr/bin/python3", "-c", script, *words], capture_output=True, text=True,
                          timeout=120)
    code, peak = done.stdout.split()
    return int(code), int(peak)


def check_memory_does_not_grow(assay, folder, _samples):
    """64 times the data, the same memory, but for what the program maps."""
    peaks = []
    for name, count in (("small", 1 << 20), ("large", 1 << 26)):
        for side in ("golden", "target"):
            os.makedirs(os.path.join(folder, name, side))
            dumps.hole(os.path.join(folder, name, side, "x.npy"), count)
        code, peak = peak_of([assay.path, "compare", os.path.join(folder, name, "golden"),
                              os.path.join(folder, name, "target"), "--threads", "2"])
        assert code == 0, code
        peaks.append(peak)
    assert peaks[1] - peaks[0] < 64, peaks


def check_reader_that_went_away(assay, folder, _samples):
    dumps.hole(os.path.join(folder, "x.npy"), 100)
    words = [assay.path, "compare", os.path.join(folder, "x.npy"), os.path.join(folder, "x.npy")]
    process = subprocess.Popen(words + ["--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdout.close()
    assert process.wait(timeout=60) == 0


def digest(folder):
    sums = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                sums[path] = (hashlib.sha256(file.read()).hexdigest(), os.stat(path).st_mtime_ns)
    return sums


def check_sources_are_left_alone(assay, folder, samples):
    before = digest(samples)
    assay.run("compare", samples, samples, "-o", os.path.join(folder, "x.assay"))
    assay.run("show", samples)
    assay.run("convert", samples, "--to", "npz", "-o", os.path.join(folder, "out"))
    assert digest(samples) == before


def check_too_few_open_files(assay, folder, _samples):
    """Running out of file handles costs rows, not the program."""
    for i in range(40):
        dumps.hole(os.path.join(folder, f"x{i}.npy"), 100)
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))
    done = subprocess.run([assay.path, "compare", folder, folder, "--threads", "7", "--json"],
                          capture_output=True, text=True, preexec_fn=limit, timeout=60)
    assert done.returncode in (0, 2), (done.returncode, done.stderr)
