"""Installs the real producers into build/real-venv, once per version of this folder's lists.

Only the package names are told to pip; where it looks is the machine's own setting.
"""
import hashlib
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


def interpreter():
    """The system's first: it starts fast."""
    for path in (f"/usr/bin/{PYTHON}", shutil.which(PYTHON)):
        if path and pathlib.Path(path).exists():
            return path
    raise Missing(f"{PYTHON} is not here")


def version():
    text = b"".join((HERE / name).read_bytes()
                    for name in ("requirements.txt", "setup.py", "torch_stubs.py"))
    return hashlib.sha256(text).hexdigest()[:16]


def ready(venv):
    """The venv's Python with everything in it; the stamp is written last."""
    python = venv / "bin/python"
    stamp = venv / f"ready-{version()}"
    if stamp.exists():
        return python
    base = interpreter()
    print("real: installing torch, tensorflow, msprobe, polygraphy, openvino, tvm (1.4 GB, once)", flush=True)
    shutil.rmtree(venv, ignore_errors=True)
    run("making a venv", base, "-m", "venv", venv)
    run("pip install", python, "-m", "pip", "install", *PIP_OPTIONS, "-r", HERE / "requirements.txt")
    run("pip install", python, "-m", "pip", "install", *PIP_OPTIONS, "--target", venv / "torch-npu", TORCH_NPU)
    libraries = next(venv.glob("lib/python*/site-packages/torch/lib"))
    run("making stand-ins for CUDA", python, HERE / "torch_stubs.py", libraries)
    run("importing the producers", python, "-c", IMPORTS)
    stamp.touch()
    return python
