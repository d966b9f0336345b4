"""Tensors of any format that assay reads, as NumPy arrays, and arrays in any format that it writes."""
import json
import os
import tempfile

import numpy

from assay import arrays, program

# How assay names the formats that NumPy itself writes no suffix for.
SUFFIXES = {".npy": "npy", ".npz": "npz", ".safetensors": "safetensors", ".txt": "txt", ".bin": "bin"}


class Tensors(dict):
    """Arrays by the names that `assay show` gives them. One alone may be used as an array itself."""

    def only(self):
        if len(self) != 1:
            raise ValueError(f"{len(self)} tensors, not one: {', '.join(list(self)[:5])}")
        return next(iter(self.values()))

    def __array__(self, dtype=None, copy=None):
        return numpy.asarray(self.only(), dtype)


def load(path, *options):
    """Every tensor with numbers of a file, by its name in the file, or of a folder, by the name that
    `assay show` gives it. Types that NumPy lacks are widened, which keeps their values: bf16 becomes
    float32. `options` go to the program: "--dtype", "f16" for raw files.
    """
    text, error = program.call("show", path, "--json", *options)
    if not text:
        raise error
    listed = json.loads(text)["tensors"]
    if os.path.isfile(path):
        for tensor in listed:
            tensor["name"] = tensor["tensor"] or tensor["name"]
    with tempfile.TemporaryDirectory() as folder:
        program.run("convert", path, "--to", "npz", "-o", folder, *options, codes=(0, program.TROUBLE))
        found = _collect(listed, _Converted(path, folder, options))
    if not found:
        raise error or program.AssayError("no tensor in it has values", str(path))
    return found


def _collect(listed, converted):
    found = Tensors()
    for tensor in listed:
        array = converted.array(tensor["file"], tensor["tensor"])
        if array is not None:
            # Two files of a folder may hold tensors of one name.
            name = tensor["name"]
            found[f"{name} ({tensor['file']})" if name in found else name] = array
    return found


class _Converted:
    """What the program made of a source: an npz for each file."""

    def __init__(self, path, folder, options):
        self.path, self.folder, self.options = path, folder, options
        self.files = {}

    def array(self, file, tensor):
        """None if it has no numbers."""
        npz = os.path.join(self.folder, file + ".npz")
        if not os.path.exists(npz):
            return self.alone(file, tensor)
        if npz not in self.files:
            self.files[npz] = _read_npz(npz)
        return self.files[npz].get(tensor or "arr_0")

    def alone(self, file, tensor):
        """One damaged tensor costs the whole npz: the others are asked for one by one."""
        source = self.path if os.path.isfile(self.path) else os.path.join(self.path, file)
        with tempfile.TemporaryDirectory() as folder:
            choice = ["--tensor", tensor] if tensor else []
            program.run("convert", source, *choice, "--to", "npz", "-o", folder, *self.options,
                        codes=(0, program.TROUBLE))
            written = os.listdir(folder) if os.path.isdir(folder) else []
            return _read_npz(os.path.join(folder, written[0]))[tensor or "arr_0"] if written else None


def _read_npz(path):
    with numpy.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def save(path, values, kind=None):
    """Writes an array, or a dict of arrays by name. The suffix says the format, or `kind`: see
    `assay convert --help`. Nothing but a whole file is ever found at `path`.
    """
    path = os.fspath(path)
    kind = kind or SUFFIXES.get(os.path.splitext(path)[1])
    if kind is None:
        raise ValueError(f"{path}: the suffix is none of {' '.join(SUFFIXES)}; say kind=")
    named = {name: numpy.asarray(array) for name, array in
             (values if isinstance(values, dict) else {"arr_0": values}).items()}
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path) or ".") as folder:
        os.replace(_write(named, kind, folder), path)


def _write(named, kind, folder):
    """A file of that kind in the folder, made by the program from one that Python can write."""
    source = os.path.join(folder, "source.safetensors")
    if any(arrays.dtype_name(array) == "c128" for array in named.values()):
        source = os.path.join(folder, "source.npz")
        numpy.savez(source, **named)
    else:
        arrays.write_safetensors(source, named)
    out = os.path.join(folder, "out")
    program.run("convert", source, "--to", kind, "-o", out)
    written = os.listdir(out)
    if len(written) != 1:
        raise ValueError(f"{kind} holds one tensor per file, not {len(named)}")
    return os.path.join(out, written[0])
