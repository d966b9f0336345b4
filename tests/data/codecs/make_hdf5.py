#!/usr/bin/env python3
"""Writes the HDF5 samples here and in ../hdf5; needs h5py. Values count from 0 unless a comment says otherwise."""
import ctypes
import pathlib
import shutil
import sys

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "behaviour"))
import hdf5_calls

DATA_TYPES = {"f4": 1, "i1": 3, "i4": 6, "i8": 7, "f2": 10, "f8": 11}  # the hooks' own numbers
LARGE = HERE.parent / "hdf5"
CORPUS = HERE.parents[2] / "fuzz/corpus/hdf5"


def counted(shape, dtype):
    return np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)


def compact(group, name, array):
    space = h5py.h5s.create_simple(array.shape)
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(h5py.h5d.COMPACT)
    kind = h5py.h5t.py_create(array.dtype)
    dataset = h5py.h5d.create(group.id, name.encode(), kind, space, plist)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, array)


def plain_edges(group, name, array):
    """Compressed, but not the chunk that crosses the edge; h5py itself cannot ask for it."""
    space = h5py.h5s.create_simple(array.shape)
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((3,))
    plist.set_deflate(9)
    keep = 2  # H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS
    library = [line.split()[-1] for line in open("/proc/self/maps") if "libhdf5_serial.so" in line][0]
    ctypes.CDLL(library).H5Pset_chunk_opts(ctypes.c_int64(plist.id), keep)
    dataset = h5py.h5d.create(group.id, name.encode(), h5py.h5t.py_create(array.dtype), space, plist)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, array)


def make_types():
    with h5py.File(HERE / "types.h5", "w") as file:
        for code in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "c8", "c16"):
            file[code] = counted((2, 3), code)
        file["bool"] = np.array([True, False])
        file["big"] = counted((2, 3), ">f4")
        file["big_complex"] = counted((2,), ">c8")
        file["scalar"] = np.float32(7.5)
        file["none"] = h5py.Empty("f4")
        file["text"] = np.array([b"ab", b"c"])
        file["texts"] = ["one", "two"]
        file["record"] = np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f4")])
        file["enum"] = np.array([1, 2], dtype=h5py.enum_dtype({"A": 1, "B": 2}, "i1"))
        file["long"] = np.array([1, 2], dtype=np.longdouble)
        file.create_dataset("empty", (2, 0), "f4")


def make_storage(name, **options):
    """Every way to keep values; `options` choose old or new structures."""
    with h5py.File(HERE / name, "w", **options) as file:
        make = file.create_dataset
        file["raw"] = counted((2, 3), "f4")
        compact(file, "compact", counted((2, 3), "i4"))
        make("unwritten", (4, 3), "f4", fillvalue=2.5)
        make("chunks", data=counted((5, 7), "f4"), chunks=(2, 3))
        make("big", data=counted((5,), ">i4"), chunks=(2,))
        make("packed", data=counted((9, 10), "i2"), chunks=(4, 10), compression="gzip", shuffle=True,
             fletcher32=True)
        make("grows", data=counted((6,), "f8"), chunks=(4,), maxshape=(None,))
        make("grows_both", data=counted((3, 4), "u1"), chunks=(2, 2), maxshape=(None, None), compression=9)
        make("one_chunk", data=counted((3, 3), "i8"), chunks=(3, 3), compression=1)
        holes = make("holes", (6, 4), "i2", chunks=(2, 2), fillvalue=-1)  # only rows 2 and 3 are written
        holes[2:4] = 5
        odd = make("odd", (7,), "u1", chunks=(7,), fletcher32=True)
        odd[...] = 255
        plain_edges(file, "edges", counted((5,), "i4"))
        unpacked = make("unpacked", (4,), "i4", chunks=(4,), compression=4)
        unpacked.id.write_direct_chunk((0,), counted((4,), "<i4").tobytes(), filter_mask=1)


def make_storage_2():
    """Compressed chunks with each kind of index as HDF5 2.0 writes them; needs an h5py with that library."""
    with h5py.File(HERE / "storage_2.h5", "w", libver="latest") as file:
        make = file.create_dataset
        make("packed", data=counted((9, 10), "i2"), chunks=(4, 10), compression="gzip", shuffle=True, fletcher32=True)
        make("grows", data=counted((6,), "f8"), chunks=(4,), maxshape=(None,), compression="gzip")
        make("grows_both", data=counted((3, 4), "u1"), chunks=(2, 2), maxshape=(None, None), compression=9)
        make("one_chunk", data=counted((3, 3), "i8"), chunks=(3, 3), compression=1)


def make_many(name, **options):
    """Large indexes."""
    with h5py.File(LARGE / name, "w", **options) as file:
        make = file.create_dataset
        make("fixed", data=counted((1100,), "u1"), chunks=(1,))
        make("grows", data=counted((2, 150), "u1"), chunks=(1, 1), maxshape=(2, None), shuffle=True)
        make("grows_both", data=counted((20, 10), "u1"), chunks=(1, 1), maxshape=(None, None), fletcher32=True)
        for i in range(80):
            file[f"group/link_{i}"] = np.int16(i)


def make_links():
    with h5py.File(HERE / "links.h5", "w") as file:
        file["a/b/c/x"] = counted((2,), "f4")
        file["a/again"] = file["a/b/c/x"]
        file["a/loop"] = file["a"]
        file["root"] = file["/"]
        file["soft"] = h5py.SoftLink("/a/b/c/x")
        file["nowhere"] = h5py.SoftLink("/nowhere")
        file["around"] = h5py.SoftLink("/around")
        file["other"] = h5py.ExternalLink("types.h5", "/f4")
        file["kind"] = np.dtype("f4")
        file.create_dataset("outside", (2,), "f4", external=[("outside.bin", 0, 8)])
        file.create_dataset("packed", data=counted((8,), "i4"), chunks=(8,), compression="lzf")
        layout = h5py.VirtualLayout((2, 3), "f4")
        layout[...] = h5py.VirtualSource("types.h5", "f4", (2, 3))
        file.create_virtual_dataset("virtual", layout)


def make_strides():
    """As PyTorch's dump hooks write, with attributes."""
    with h5py.File(HERE / "strides.h5", "w") as file:
        rows = {"transposed": (0, 1, [1, 2]), "ordered": (0, 0, [3, 1]), "repeated": (0, 1, [0, 1]),
                "too_far": (0, 1, [6, 1]), "backwards": (0, 1, [-1, 1]), "npu": (0, 10, [1, 2]), "list": (2, 1, [1, 2])}
        for name, (kind, device, stride) in rows.items():
            file[name] = counted((2, 3), "f4")
            file[name].attrs.update({"Type": kind, "DeviceType": device, "Stride": np.array(stride)})


def make_calls():
    """The tables that the tests of pairing work from."""
    for name, (device, calls) in hdf5_calls.FILES.items():
        with h5py.File(LARGE / f"{name}.h5", "w") as file:
            for call in calls:
                place = hdf5_calls.path(call)
                file[place] = counted((2, 3), call[4])
                file[place].attrs.update({"Type": 2 * (len(call) > 5), "DeviceType": device,
                                          "DataType": DATA_TYPES[call[4]], "Stride": np.array([3, 1])})


# Place, shape and type; then what the attributes say instead.
RULES = {
    "rules_npu": (10, [
        ("Mul/3/input/eps", (2, 3), "f4", {}), ("Mul/3/input/x", (2, 3), "f4", {}),
        ("NpuRelu/4/output/result", (3,), "f4", {}), ("NpuRelu/4/output/mask", (0, 4), "?", {"DataType": 9}),
        ("Add/5/output/unknown", (2,), "f4", {"DataType": 4}), ("Add/5/output/none", (2,), "f4", {"DataType": None}),
        ("Add/5/output/other", (2,), "i4", {}), ("Add/5/output/flat", (2, 2), "f4", {}),
        ("Add/5/output/untyped", (2,), "f4", {"Type": None}), ("Sub/6/output/result", (2,), "f4", {})]),
    "rules_cpu": (0, [
        ("Mul/1/input/epsilon", (2, 3), "f4", {}), ("Mul/1/input/x", (2, 3), "f4", {"Stride": [1, 2]}),
        ("ThnnRelu/2/output/result", (3,), "f4", {"Stride": None}),
        ("ThnnRelu/2/output/mask", (0, 4), "?", {"DataType": 9}),
        ("Add/3/output/unknown", (2,), "f4", {}), ("Add/3/output/none", (2,), "f4", {}),
        ("Add/3/output/other", (2,), "f4", {}), ("Add/3/output/flat", (5,), "f4", {}),
        ("Add/3/output/untyped", (2,), "f4", {}), ("ThnnConvDepthwise2DBackward/4/output/result", (2,), "f4", {}),
        ("Div/5/input/a", (2,), "f4", {}), ("Div/5/output/b", (2,), "f4", {})]),
}


def make_rules():
    """What msaccucmp's table says of parameters, attributes and calls without a partner."""
    for name, (device, tensors) in RULES.items():
        with h5py.File(LARGE / f"{name}.h5", "w", libver="latest") as file:
            for place, shape, dtype, other in tensors:
                file[place] = counted(shape, dtype)
                stride = np.array(file[place][()].strides) // np.dtype(dtype).itemsize
                attributes = {"Type": 0, "DeviceType": device, "DataType": DATA_TYPES.get(dtype, 0),
                              "Stride": stride, **other}
                file[place].attrs.update({k: v for k, v in attributes.items() if v is not None})


if __name__ == "__main__":
    make_types()
    make_storage("storage.h5", track_order=False)
    make_storage("storage_new.h5", libver="latest")
    if h5py.version.hdf5_version_tuple >= (2, 0, 0):
        make_storage_2()
    make_many("many.h5")
    make_many("many_new.h5", libver="latest")
    make_links()
    make_strides()
    make_calls()
    make_rules()
    CORPUS.mkdir(parents=True, exist_ok=True)
    for name in ("types.h5", "storage.h5", "storage_new.h5", "storage_2.h5", "links.h5", "strides.h5"):
        shutil.copyfile(HERE / name, CORPUS / name)
