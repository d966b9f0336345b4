"""A Python with TVM's Relay, in build/real-relay: the nearest public thing to Tecorigin's TVM."""
import hashlib
import pathlib
import shutil
import zipfile

import setup

HERE = pathlib.Path(__file__).resolve().parent
WHEEL = "hhb-tvm==3.2.3"
PLATFORMS = ("manylinux1_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64")


def version():
    text = b"".join((HERE / name).read_bytes() for name in ("relay.txt", "relay.py"))
    return hashlib.sha256(text).hexdigest()[:16]


def ready(venv):
    """The venv's Python; the stamp is written last."""
    python, stamp = venv / "bin/python", venv / f"ready-{version()}"
    if stamp.exists():
        return python
    shutil.rmtree(venv, ignore_errors=True)
    setup.run("making a venv", setup.interpreter(), "-m", "venv", venv)
    setup.run("pip install", python, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:",
              "--disable-pip-version-check", "-r", HERE / "relay.txt")
    platforms = [word for name in PLATFORMS for word in ("--platform", name)]
    setup.run("pip download", python, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
              "--python-version", "3.8", "--implementation", "cp", "--abi", "cp38", *platforms,
              "--dest", venv, WHEEL)
    packages = next(venv.glob("lib/python*/site-packages"))
    with zipfile.ZipFile(next(venv.glob("hhb_tvm-*.whl"))) as file:
        file.extractall(packages)
    stamp.touch()
    return python
