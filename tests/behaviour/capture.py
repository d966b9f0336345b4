"""assay capture with jobs of our own: a script for tfdbg, at its prompt and without it."""
import os
import pathlib
import subprocess
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
SAMPLE = HERE.parent / "cli/data/tfdbg/dump/run_1794959286444633_0"
FAKES = HERE.parent / "python/fakes"

SCRIPT = """
from tensorflow.python import debug as tf_debug
session = tf_debug.LocalCLIDebugWrapperSession(object(), ui_type="readline")
print([session.run("x") for _ in range(3)])
"""
HOOK = """
from tensorflow.python import debug as tf_debug
hook = tf_debug.LocalCLIDebugHook()
print([hook.before_run(object()) for _ in range(2)])
"""


def capture(assay, folder, *words, code=0, path=FAKES):
    environment = dict(os.environ, PYTHONPATH=str(path), SAMPLE=str(SAMPLE), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run([os.path.abspath(assay.path), "capture", "tf", *words], cwd=folder, env=environment,
                          text=True, capture_output=True, timeout=60)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done


def arrays(folder):
    root = pathlib.Path(folder) / "precision_data/tf/dump"
    return {path.relative_to(root).as_posix(): numpy.load(path) for path in sorted(root.rglob("*.npy"))}


def values_in(path):
    with numpy.load(path) as archive:
        return dict(archive)


def check_capture_swaps_the_session(assay, folder, _samples):
    done = capture(assay, folder, "--", sys.executable, "-c", SCRIPT)
    assert "['debug_run', 'non_debug_run', 'non_debug_run']" in done.stdout, done.stdout
    found = arrays(folder)
    assert len(found) == 9, found.keys()
    for name, want in values_in(SAMPLE.parent.parent / "session_run.npz").items():
        stem = name.replace("/", "_").replace(":", ".")
        got, = (array for file, array in found.items() if file.startswith(stem + ".17949"))
        assert numpy.array_equal(got, want), name


def check_capture_several_steps(assay, folder, _samples):
    done = capture(assay, folder, "--steps", "0|2", "--commands", "pt.txt", "--", sys.executable, "-c", SCRIPT)
    assert "['debug_run', 'non_debug_run', 'debug_run']" in done.stdout, done.stdout
    runs = {file.rsplit("/", 1)[0] for file in arrays(folder)}
    assert len(runs) == 2 and all(run.startswith("session_0/run_") for run in runs), runs
    lines = (pathlib.Path(folder) / "pt.txt").read_text().splitlines()
    assert len(lines) == 20 and lines[0].startswith("pt _arg_x_0_0:0 -n 0 -w "), lines


def check_capture_swaps_the_hook(assay, folder, _samples):
    done = capture(assay, folder, "--", sys.executable, "-c", HOOK)
    assert "['debug_run', 'non_debug_run']" in done.stdout, done.stdout
    assert len(arrays(folder)) == 9


def check_capture_a_second_time(assay, folder, _samples):
    """The first run's arrays stay; only the new run is written."""
    for count in (9, 18):
        done = capture(assay, folder, "--", sys.executable, "-c", HOOK)
        assert "9      arrays" in done.stderr, done.stderr
        assert len(arrays(folder)) == count


def check_capture_keeps_the_other_sitecustomize(assay, folder, _samples):
    (pathlib.Path(folder) / "sitecustomize.py").write_text("print('the other one')\n")
    done = capture(assay, folder, "--", sys.executable, "-c", "raise SystemExit(4)", code=4, path=folder)
    assert "the other one" in done.stdout, done.stdout
    assert "nothing came" in done.stderr, done.stderr


def check_capture_at_the_prompt(assay, folder, _samples):
    done = capture(assay, folder, "--interactive", "--commands", "pt.txt", "--", sys.executable,
                   str(HERE / "fake_tfdbg.py"))
    assert done.stdout.startswith("job output\n"), done.stdout
    assert len((pathlib.Path(folder) / "pt.txt").read_text().splitlines()) == 5
    assert "note: handle:0 was not saved" in done.stderr, done.stderr
    found = arrays(folder)
    assert len(found) == 4, found.keys()
    mapping = (pathlib.Path(folder) / "precision_data/tf/dump/mapping.csv").read_text()
    assert mapping.startswith("0.1.") and "long_" + "x" * 300 in mapping, mapping
    by_stem = {file.split(".")[0]: array for file, array in found.items()}
    assert by_stem["net_mm"].tolist() == [[2.5, 3.5]], by_stem  # the second attempt
    loops = [array.tolist() for file, array in sorted(found.items()) if file.startswith("loop_add")]
    assert loops == [4, 5], loops
    assert by_stem["0"].tolist() == [8.0], by_stem


def check_capture_steps_at_the_prompt(assay, folder, _samples):
    capture(assay, folder, "--interactive", "--steps", "1|4", "--", sys.executable, str(HERE / "fake_tfdbg.py"))
    found = {file.rsplit(".", 2)[0]: array.tolist() for file, array in arrays(folder).items()}
    assert found["step_1/net_mm.0"] == [[3.5, 4.5]] and found["step_4/net_mm.0"] == [[6.5, 7.5]], found


def check_capture_without_a_prompt(assay, folder, _samples):
    done = capture(assay, folder, "--interactive", "--", sys.executable, str(HERE / "fake_tfdbg.py"), "--no-prompt",
                   code=2)
    assert "the job showed no tfdbg prompt: it ended without 'tfdbg> '" in done.stderr, done.stderr
    assert "job output" in done.stderr, done.stderr
    done = capture(assay, folder, "--interactive", "--timeout", "0.2", "--", "sleep", "30", code=2)
    assert "no 'tfdbg> ' for 0.2 seconds" in done.stderr, done.stderr
