"""Run one process: wall time, exit code and, on request, its memory over time.

Linux counts the parent's resident size into the child's ru_maxrss: what a bar is
about comes from samples. Imports no NumPy, so that it is small anyway.
"""
import dataclasses
import glob
import os
import signal
import tempfile
import time

SAMPLE_SECONDS = 0.004
GRACE_SECONDS = 10  # from SIGINT to SIGKILL


class BenchError(Exception):
    """A contender did not do its work; its time means nothing."""


@dataclasses.dataclass
class Run:
    seconds: float
    code: int  # exit status; minus the signal if one ended the process
    peak_rss: int  # bytes
    errors: str  # the end of stderr
    samples: list  # (seconds since start, RssAnon of it and its children in bytes)

    @property
    def peak_anon(self):
        return max((anon for _, anon in self.samples), default=0)


def run(argv, sample=False, interrupt_after=None):
    """Sampling takes CPU from the process, so timed runs go without it."""
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        pid = _spawn(argv, errors.fileno())
        try:
            if sample or interrupt_after:
                samples, peak_rss, status = _watch(pid, begin, interrupt_after)
            else:
                samples, (_, status, usage) = [], os.wait4(pid, 0)
                peak_rss = usage.ru_maxrss * 1024
        except BaseException:
            os.kill(pid, signal.SIGKILL)
            raise
        seconds = time.perf_counter() - begin
        code = os.waitstatus_to_exitcode(status)
        return Run(seconds, code, peak_rss, _tail(errors), samples)


def _spawn(argv, errors):
    """posix_spawn starts faster than fork; a shell in the background or Python
    may have set SIGINT and SIGPIPE to be ignored, and that would be inherited."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, errors, 2),
    ]
    argv = [str(word) for word in argv]
    defaults = [signal.SIGINT, signal.SIGPIPE]
    return os.posix_spawnp(
        argv[0], argv, os.environ, file_actions=actions, setsigdef=defaults
    )


def _watch(pid, begin, interrupt_after):
    """Sample until the process ends; interrupt it, then kill it, when time is up."""
    samples, peak_rss, deadline, sign = [], 0, interrupt_after, signal.SIGINT
    while True:
        now = time.perf_counter() - begin
        anon = rss_anon(pid)
        if anon is not None:
            samples.append((now, anon))
            peak_rss = max(peak_rss, memory(pid, "VmHWM") or 0)
        done, status, _ = os.wait4(pid, os.WNOHANG)
        if done:
            return samples, peak_rss, status
        if deadline and now > deadline:
            os.kill(pid, sign)
            deadline, sign = now + GRACE_SECONDS, signal.SIGKILL
        time.sleep(SAMPLE_SECONDS)


def memory(pid, kind):
    """Bytes; None for a process that has ended but was not waited for."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
        return next((int(line.split()[1]) * 1024 for line in status if line.startswith(kind + ":")), None)


def rss_anon(pid):
    """Of a process and all below it; None for one that has ended."""
    try:
        own = memory(pid, "RssAnon")
        if own is None:
            return None
        children = [child for path in glob.glob(f"/proc/{pid}/task/*/children")
                    for child in open(path, encoding="ascii").read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return own + sum(rss_anon(child) or 0 for child in children)


def _tail(file, size=2000):
    file.seek(max(0, file.seek(0, os.SEEK_END) - size))
    return file.read().decode(errors="replace").strip()
