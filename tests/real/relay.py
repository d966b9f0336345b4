"""A Python with TVM's Relay, in build/real-relay: the nearest public thing to Tecorigin's TVM."""
import pathlib
import zipfile

import setup

HERE = pathlib.Path(__file__).resolve().parent
WHEEL = "hhb-tvm==3.2.3"
PLATFORMS = ("manylinux1_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64")


def fill(venv, python):
    setup.pip_install(python, "-r", HERE / "relay.txt")
    platforms = [word for name in PLATFORMS for word in ("--platform", name)]
    setup.run("pip download", python, "-m", "pip", "download", *setup.PIP_OPTIONS, "--python-version", "3.8",
              "--implementation", "cp", "--abi", "cp38", *platforms, "--dest", venv, WHEEL)
    packages = next(venv.glob("lib/python*/site-packages"))
    with zipfile.ZipFile(next(venv.glob("hhb_tvm-*.whl"))) as file:
        file.extractall(packages)


def ready(venv):
    return setup.made(venv, ("relay.txt", "relay.py"), fill)
