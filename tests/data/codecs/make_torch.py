#!/usr/bin/env python3
"""Writes the .pt and .pth samples of the codec tests, without torch.

Python's own pickler writes data.pkl, from classes that bear the names of
torch's; the output is the same every time:
  python3 tests/data/codecs/make_torch.py
"""
import collections
import io
import pathlib
import pickle
import shutil
import struct
import sys
import types
import zipfile

HERE = pathlib.Path(__file__).parent
CORPUS = HERE.parents[2] / "fuzz" / "corpus"


def module(name):
    sys.modules[name] = types.ModuleType(name)
    return sys.modules[name]


def named(where, name, kind=type):
    """A class or function that pickles as where.name."""
    thing = type(name, (), {}) if kind is type else lambda *a: None
    thing.__module__, thing.__name__, thing.__qualname__ = where.__name__, name, name
    setattr(where, name, thing)
    return thing


TORCH, UTILS, STORAGE = module("torch"), module("torch._utils"), module("torch.storage")
V2 = named(UTILS, "_rebuild_tensor_v2", "function")
V3 = named(UTILS, "_rebuild_tensor_v3", "function")
PARAMETER = named(UTILS, "_rebuild_parameter", "function")
SIZE, DEVICE = named(TORCH, "Size"), named(TORCH, "device")
UNTYPED = named(STORAGE, "UntypedStorage")
TYPES = {"FloatStorage": "f", "HalfStorage": "e", "LongStorage": "q", "BFloat16Storage": "H",
         "ComplexFloatStorage": "2f", "BoolStorage": "?"}
for storage in TYPES:
    named(TORCH, storage)


class Constant:
    """A dtype: pickled by its name alone."""

    def __init__(self, name):
        self.name = name
        setattr(TORCH, name, self)

    def __reduce__(self):
        return self.name


Constant.__module__ = "torch"
F8, BF16 = Constant("float8_e4m3fn"), Constant("bfloat16")


class Storage:
    def __init__(self, kind, data):
        self.kind, self.data = kind, data

    def numel(self):
        return len(self.data) // (struct.calcsize(TYPES[self.kind]) if self.kind in TYPES else 1)


class Tensor:
    def __init__(self, storage, offset, size, strides, dtype=None, more=()):
        tail = ((dtype,) if dtype else ()) + more
        self.function = V3 if dtype else V2
        self.arguments = (storage, offset, size, strides, False, collections.OrderedDict()) + tail

    def __reduce_ex__(self, protocol):
        return self.function, self.arguments


class Call:
    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments

    def __reduce_ex__(self, protocol):
        return self.function, self.arguments


def pickled(value, protocol, storages):
    class Pickler(pickle._Pickler):  # the one in Python: both write the same
        def persistent_id(self, thing):
            if not isinstance(thing, Storage):
                return None
            key = storages.setdefault(id(thing), (str(len(storages)), thing))[0]
            kind = getattr(TORCH, thing.kind, UNTYPED)
            return ("storage", kind, key, "cpu", thing.numel())

    out = io.BytesIO()
    Pickler(out, protocol).dump(value)
    return out.getvalue()


def save(file, value, protocol=2, order="little", method=zipfile.ZIP_STORED, extra=()):
    storages = {}
    members = [("data.pkl", pickled(value, protocol, storages)), (".format_version", b"1")]
    members += [("byteorder", order.encode())] if order else []
    members += [("data/" + key, thing.data) for key, thing in storages.values()]
    members += list(extra) + [("version", b"3\n")]
    with zipfile.ZipFile(HERE / file, "w") as z:
        for name, data in members:
            info = zipfile.ZipInfo("archive/" + name)
            info.compress_type = method
            z.writestr(info, data)


def floats(n, first=0, order="<"):
    return struct.pack(f"{order}{n}f", *range(first, first + n))


def model():
    weight, bias = Storage("FloatStorage", floats(6)), Storage("HalfStorage", bytes(range(6)))
    state = collections.OrderedDict()
    state["fc.weight"] = Tensor(weight, 0, (2, 3), (3, 1))
    state["fc.bias"] = Call(PARAMETER, Tensor(bias, 0, (3,), (1,)), True, collections.OrderedDict())
    state._metadata = {"": {"version": 1}}  # torch keeps attributes there
    return {
        "model": state, "epoch": 3, "seed": 1 << 70, "lr": 1e-3, "note": "gr\u00fc\u00df", "raw": b"\0\1",
        "shape": Call(SIZE, (2, 3)), "device": Call(DEVICE, "cuda", 0), "dtype": BF16,
        "done": True, "none": None, "set": {1, 2}, "tied": state["fc.weight"],
        "state": {0: {"step": Tensor(Storage("LongStorage", struct.pack("<q", 7)), 0, (), ())}},
        "pair": (Tensor(Storage("BoolStorage", b"\1\0"), 0, (2,), (1,)), [-1, 70000, 1 << 40]),
    }


def views():
    base = Storage("FloatStorage", floats(24))
    typed = Storage("UntypedStorage", bytes(range(8)))
    return [
        Tensor(base, 0, (4, 6), (6, 1)),       # whole
        Tensor(base, 0, (6, 4), (1, 6)),       # transposed
        Tensor(base, 7, (2, 3), (12, 2)),      # sliced
        Tensor(base, 5, (3, 2), (0, 1)),       # expanded
        Tensor(base, 23, (), ()),              # the last
        Tensor(base, 0, (1, 4, 1), (99, 1, 5)),  # row-major: ones do not matter
        Tensor(base, 24, (0, 5), (5, 1)),      # empty
        Tensor(typed, 2, (2, 3), (3, 1), F8),
        Tensor(typed, 1, (3,), (1,), BF16),
    ]


def main():
    save("nested.pt", model())
    save("nested4.pth", model(), protocol=4, order=None)
    save("views.pt", views())
    whole = {"x": Tensor(Storage("FloatStorage", floats(6)), 0, (2, 3), (3, 1))}
    save("big_endian.pt", {"x": Tensor(Storage("FloatStorage", floats(6, order=">")), 0, (2, 3), (3, 1)),
                           "b": Tensor(Storage("BoolStorage", b"\1"), 0, (1,), (1,))}, order="big")
    save("deflated.pt", whole, method=zipfile.ZIP_DEFLATED)
    save("no_tensors.pt", {"epoch": 3, "names": ["a", "b"]}, protocol=5)
    script = [("constants.pkl", b"\x80\x02)."), ("code/__torch__.py", b"x = 1\n")]
    save("script.pt", whole, extra=script)
    fill_corpus()


def fill_corpus():
    """The fuzzers start from the small samples and their pickles."""
    for codec in ("pt", "pickle"):
        (CORPUS / codec).mkdir(parents=True, exist_ok=True)
    for file in [*HERE.glob("*.pt"), *HERE.glob("*.pth")]:
        if file.stat().st_size < 4096:
            shutil.copyfile(file, CORPUS / "pt" / file.name)
        with zipfile.ZipFile(file) as z:
            data = next(n for n in z.namelist() if n.endswith("/data.pkl"))
            (CORPUS / "pickle" / (file.stem + ".pkl")).write_bytes(z.read(data))


if __name__ == "__main__":
    main()
