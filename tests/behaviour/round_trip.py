"""convert: every sample keeps its values on the way through every format."""
import os

import program

OPAQUE = "opaque"


def tensors(assay, path):
    return assay.json("show", path)["tensors"]


def folder_of(samples, folder):
    """The samples alone, without the script that makes them; each name once."""
    place = os.path.join(folder, "samples")
    os.makedirs(place)
    for name in os.listdir(samples):
        holds_values = name.endswith((".npy", ".npz", ".safetensors", ".pb"))
        if holds_values and "_min_max" not in name and name != "scalar.pb":
            os.symlink(os.path.join(os.path.abspath(samples), name), os.path.join(place, name))
    return place


def name_after(tensor, counts):
    """What the tensor is called in the output folder, without the last suffix."""
    if counts[tensor["file"]] == 1:
        return tensor["file"]
    return tensor["file"] + "." + tensor["tensor"].replace(":", ".").replace("/", "_")


def check_npy_of_everything(assay, folder, samples):
    source, out = folder_of(samples, folder), os.path.join(folder, "out")
    assay.run("convert", source, "--to", "npy", "-o", out, code=0)
    listed = tensors(assay, source)
    counts = {}
    for tensor in listed:
        counts[tensor["file"]] = counts.get(tensor["file"], 0) + 1
    numbers = [t for t in listed if t["dtype"] != OPAQUE]
    path = os.path.join(folder, "map.csv")
    with open(path, "w", encoding="utf-8") as file:
        for tensor in numbers:
            file.write(f'"{tensor["name"]}","{name_after(tensor, counts)}"\n')
    report = assay.json("compare", source, out, "--map", path, code=0)
    program.expect_whole(report)
    done = [row for row in report["rows"] if row["verdict"] in ("pass", "trivial")]
    assert len(done) == len(numbers), (len(done), len(numbers))
    assert all(row["metrics"].get("max_abs") in (0, None) for row in done)


def check_archives_of_everything(assay, folder, samples):
    source = folder_of(samples, folder)
    kinds = [t["dtype"] for t in tensors(assay, source)]
    # safetensors has no type for c128: listed as failures, the rest finished.
    for kind, refused in (("npz", ()), ("safetensors", ("c128",))):
        out = os.path.join(folder, kind)
        done = assay.run("convert", source, "--to", kind, "-o", out, code=2 if refused else 0)
        assert done.stderr.count("no type for c128") == sum(k in refused for k in kinds)
        back = os.path.join(folder, kind + "_npy")
        assay.run("convert", out, "--to", "npy", "-o", back, code=0)
        wanted = sum(k != OPAQUE and k not in refused for k in kinds)
        assert len(tensors(assay, out)) == wanted
        assert len(tensors(assay, back)) == wanted


def check_raw_values(assay, folder, samples):
    for name in ("f4.npy", "f2.npy", "i8.npy", "c8.npy", "big_endian.npy", "fortran.npy", "raw.pb"):
        source, out = os.path.join(samples, name), os.path.join(folder, name)
        assay.run("convert", source, "--to", "bin", "-o", out, code=0)
        tensor = tensors(assay, source)[0]
        shape = ",".join(map(str, tensor["shape"]))
        report = assay.json("compare", source, os.path.join(out, name + ".bin"),
                            "--dtype", tensor["dtype"], "--shape", shape, code=0)
        assert report["rows"][0]["metrics"]["max_abs"] == 0


def check_nothing_is_overwritten(assay, folder, samples):
    source, out = os.path.join(samples, "f4.npy"), os.path.join(folder, "out")
    words = ("convert", source, "--to", "npz", "-o", out)
    assay.run(*words, code=0)
    before = os.stat(os.path.join(out, "f4.npy.npz")).st_mtime_ns
    refused = assay.run(*words, code=2)
    assert "--force" in refused.stderr
    assert os.stat(os.path.join(out, "f4.npy.npz")).st_mtime_ns == before
    assay.run(*words, "--force", code=0)
