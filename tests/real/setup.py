"""Installs the real producers into build/real-venv, once per version of this folder's lists.

Only the package names are told to pip; where it looks is the machine's own setting.
"""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "python3.11"  # msprobe's wheel is made for one version
# TorchAir's Python comes with it. In a folder of its own: msprobe and torch would try to use the device.
TORCH_NPU = "torch-npu==2.14.0"
PIP_OPTIONS = ("--quiet", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--retries=2",
               "--timeout=30")
IMPORTS = """
import onnxruntime, openvino, polygraphy, tensorflow, torch, tvm
from msprobe.pytorch import PrecisionDebugger
"""


class Missing(Exception):
    """The producers cannot be had here; the text says why."""


def run(what, *command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise Missing(f"{what}: {error}") from error
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        errors = [line for line in lines if "error" in line.lower()] or lines or [""]
        raise Missing(f"{what}: {errors[-1].strip()[:200]} (exit {done.returncode})")


def starts(path):
    try:
        return subprocess.run([path, "-c", ""], capture_output=True).returncode == 0
    except OSError:
        return False


def interpreter(name):
    """The system's first: it starts fast. One that pyenv keeps is often not the one it has switched on."""
    kept = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    for path in (f"/usr/bin/{name}", shutil.which(name), *sorted(kept.glob(f"*/bin/{name}"))):
        if path and starts(path):
            return path
    raise Missing(f"{name} is not here")


def pip_install(python, *words):
    run("pip install", python, "-m", "pip", "install", *PIP_OPTIONS, *words)


def made(venv, sources, fill, interpreter_name=PYTHON):
    """The venv's Python, once per version of `sources`; the stamp is written last. One of two at a time waits."""
    text = b"".join((HERE / name).read_bytes() for name in sources)
    python, stamp = venv / "bin/python", venv / f"ready-{hashlib.sha256(text).hexdigest()[:16]}"
    venv.parent.mkdir(parents=True, exist_ok=True)
    with open(venv.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists():
            shutil.rmtree(venv, ignore_errors=True)
            run("making a venv", interpreter(interpreter_name), "-m", "venv", venv)
            fill(venv, python)
            stamp.touch()
    return python


def fill(venv, python):
    print("real: installing torch, tensorflow, msprobe, polygraphy, openvino, tvm (1.4 GB, once)", flush=True)
    pip_install(python, "-r", HERE / "requirements.txt")
    pip_install(python, "--target", venv / "torch-npu", TORCH_NPU)
    libraries = next(venv.glob("lib/python*/site-packages/torch/lib"))
    run("making stand-ins for CUDA", python, HERE / "torch_stubs.py", libraries)
    run("importing the producers", python, "-c", IMPORTS)


def ready(venv):
    return made(venv, ("requirements.txt", "setup.py", "torch_stubs.py"), fill)
