"""A Python with OpenVINO for arm64, run by QEMU, in build/real-arm64: there OpenVINO computes in f16 on any machine.

Debian's packages are unpacked, not installed, and apt has lists of its own for them: the system stays as it is.
"""
import pathlib
import re
import shutil

import setup

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = ("libc6", "libgcc-s1", "libstdc++6", "zlib1g", "libexpat1", "libffi8")
PYTHON = [pattern.format(setup.PYTHON) for pattern in ("{}-minimal", "lib{}-minimal", "lib{}-stdlib")]
QEMU = "usr/bin/qemu-aarch64-static"
WHEELS = ("openvino", "openvino-telemetry", "numpy")
PLATFORMS = ("manylinux_2_35_aarch64", "manylinux_2_28_aarch64", "manylinux_2_27_aarch64")
PROGRAM = """#!/bin/sh
export PYTHONHOME="{root}/usr" PYTHONPATH="${{PYTHONPATH:+$PYTHONPATH:}}{site}"
exec "{qemu}" -L "{root}" "{root}/usr/bin/{python}" "$@"
"""


def apt_options(folder):
    """apt without root, with lists and a cache in the folder, for packages of arm64."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    settings = {"APT::Architecture": "arm64", "APT::Architectures": "arm64,amd64", "APT::Sandbox::User": "root",
                "Dir::State::Lists": folder / "lists", "Dir::State::status": folder / "status",
                "Dir::Cache": folder / "cache"}
    return [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]


def unpack_debian(folder, root):
    """The system's libraries and Python of arm64, and QEMU for this machine."""
    options = apt_options(folder)
    setup.run("apt-get update", "apt-get", *options, "update")
    setup.run("apt-get download", "env", "-C", folder, "apt-get", *options, "download", *LIBRARIES, *PYTHON,
              "qemu-user-static:amd64")
    for package in folder.glob("*.deb"):
        setup.run("dpkg -x", "dpkg", "-x", package, root)
    for other in set(root.glob("usr/bin/qemu-*")) - {root / QEMU}:
        other.unlink()
    shutil.rmtree(folder)


def fill(venv, python):
    root, site, program = venv / "root", venv / "site", venv / "python-arm64"
    print("real: unpacking OpenVINO for arm64, and QEMU (150 MB, once)", flush=True)
    unpack_debian(venv / "apt", root)
    pins = re.findall(rf"^(?:{'|'.join(WHEELS)})==.*$", (HERE / "requirements.txt").read_text(), re.M)
    platforms = [word for name in PLATFORMS for word in ("--platform", name)]
    setup.pip_install(python, "--target", site, *platforms, *pins)
    program.write_text(PROGRAM.format(root=root, site=site, qemu=root / QEMU, python=setup.PYTHON))
    program.chmod(0o755)
    setup.run("importing OpenVINO of arm64", program, "-c", "import openvino; openvino.Core().available_devices")


def ready(venv):
    """The program that stands for Python; setup.Missing where it cannot be had."""
    setup.made(venv, ("requirements.txt", "arm64.py"), fill)
    return venv / "python-arm64"
