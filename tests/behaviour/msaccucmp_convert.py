"""assay msaccucmp convert: which files, in what order, what is named how, how it ends."""
import os
import subprocess

import numpy as np

from ascend_files import ND, NC1HWC0, Tensor, save

STAMP = 1700000000000000


def dump(folder, name, outputs, **more):
    file = f"Add.{name}.1.2.{STAMP}"
    save(folder, file, [], outputs, **more)
    return f"{folder}/{file}"


def convert(assay, files, out, *words, code=0):
    assay.run("msaccucmp", "convert", "-d", files, "-out", out, *words, code=code)
    return set(os.listdir(out)) if os.path.isdir(out) else set()


def failed(out):
    with open(out + "/convert_failed_file_list.txt") as file:
        return file.read().splitlines()


def check_convert_paths(assay, folder, _samples):
    """A folder in a list counts only if nothing else in the list is there; "" is the current folder."""
    inside, file = folder + "/in", f"Add.a.1.2.{STAMP}"
    dump(inside, "a", [np.arange(3.0)])
    array = {file + ".output.0.npy"}
    assert convert(assay, f"{inside},{folder}/none", folder + "/1") == array
    assert convert(assay, f"{inside},{inside}", folder + "/2") == set()
    assert convert(assay, f"{inside}/{file},{inside}", folder + "/3") == array
    done = subprocess.run([os.path.abspath(assay.path), "msaccucmp", "convert", "-d", "", "-out", folder + "/4"],
                          cwd=inside, capture_output=True, timeout=60)
    assert done.returncode == 0 and set(os.listdir(folder + "/4")) == array, done.stderr
    os.mkdir(folder + "/empty")
    convert(assay, folder + "/empty", folder + "/5", code=6)
    convert(assay, f"{folder}/none,{inside}", folder + "/6", "-o", "0", code=6)
    convert(assay, folder + "/none", folder + "/7", "-f", "XYZ", code=6)
    os.mkdir(folder + "/empty/below")
    assert convert(assay, folder + "/empty", folder + "/8") == set()
    odd = dump(folder + "/odd", "a+b", [np.arange(3.0)])
    convert(assay, folder + "/odd", folder + "/9", code=6)
    assert failed(folder + "/9") == [odd]
    convert(assay, inside, folder + "/a b", code=6)


def check_convert_order(assay, folder, _samples):
    """Folders in their own order, lists as typed; the first failure is the code; the list grows."""
    inside = folder + "/in"
    for name in "zyxabc":
        dump(inside, name, [Tensor(1, (2, 3), b"\0" * 8)])
        with open(f"{inside}/{name}.npy", "wb") as file:
            file.write(b"no array")
    names = [f"{inside}/{name}" for name in os.listdir(inside)]
    first = 11 if names[0].endswith(".npy") else 22
    convert(assay, inside, folder + "/out", "-f", "NCHW", code=first)
    again = [name if name.endswith(".npy") else name + ",output:0" for name in names]
    assert failed(folder + "/out") == again, (failed(folder + "/out"), again)
    two = [f"{inside}/Add.z.1.2.{STAMP}", inside + "/a.npy"]
    convert(assay, ",".join(two), folder + "/out", "-f", "NCHW", code=22)
    convert(assay, ",".join(two[::-1]), folder + "/out", code=11)
    assert failed(folder + "/out") == [*again, two[0] + ",output:0", two[1], two[1]]


def check_convert_names(assay, folder, _samples):
    """msnpy: the last part of the operator's own name, in file names of five fields."""
    fine = dump(folder, "a_b", [np.arange(3.0)], op_name="scope/b.c")
    assert convert(assay, fine, folder + "/1", "-t", "msnpy") == {f"Add.b.c.1.2.{STAMP}.output.0.ND.npy"}
    long = f"{folder}/Add.a_b.1.2.{STAMP}.0.0.0.0"
    os.rename(fine, long)
    assert convert(assay, long, folder + "/2", "-t", "msnpy") == {os.path.basename(long) + ".output.0.ND.npy"}
    nameless = dump(folder, "scope_b", [np.arange(3.0)])
    assert convert(assay, nameless, folder + "/3", "-t", "msnpy") == {
        f"Add.scope_b.1.2.{STAMP}.output.0.ND.npy"}


def check_convert_unknown_types(assay, folder, _samples):
    """One tensor without a type is the end of its file."""
    for number in (99, 13):
        file = dump(folder, f"t{number}", [np.arange(3.0), Tensor(number, (2,), b"12345678")])
        assert convert(assay, file, f"{folder}/{number}", code=21) == set()


def check_convert_short_tensors(assay, folder, _samples):
    """Fewer values than the shape says: left out as it is, a failure in another layout."""
    plain = dump(folder, "a", [Tensor(1, (2, 3), b"\0" * 8, layout=ND), np.arange(3.0)])
    assert convert(assay, plain, folder + "/1") == {f"Add.a.1.2.{STAMP}.output.1.npy"}
    packed = dump(folder, "b", [Tensor(1, (1, 1, 2, 2, 16), b"\0" * 8, layout=NC1HWC0, original=(1, 16, 2, 2))])
    for file, layout, code in ((plain, "ND", 11), (plain, "NCHW", 22), (packed, "NCHW", 26), (packed, "ND", 22)):
        convert(assay, file, folder + "/2", "-f", layout, "-o", "00", code=code)


def check_convert_torch_types(assay, folder, _samples):
    """A scalar stays one, and torch's types without a storage of their own are written, too."""
    file = dump(folder, "a", [np.array(7, "f4"), *(np.array([1, 2, 3], kind) for kind in ("u2", "u4", "u8"))])
    convert(assay, file, folder + "/pt", "-t", "pt")
    types = []
    for k in range(4):
        report = assay.json("compare", f"{folder}/pt/{os.path.basename(file)}.output.{k}.pt",
                            f"{folder}/pt/{os.path.basename(file)}.output.{k}.pt")
        side = report["rows"][0]["golden"][0]
        types.append((side["dtype"], side["shape"]))
    assert types == [("f32", []), ("u16", [3]), ("u32", [3]), ("u64", [3])], types
    scalar = dump(folder, "s", [Tensor(1, (), b"\0\0\0\x40")])
    convert(assay, scalar, folder + "/npy")
    assert np.load(f"{folder}/npy/Add.s.1.2.{STAMP}.output.0.npy").shape == (1,)
    convert(assay, scalar, folder + "/ms", "-t", "msnpy", "-f", "NCHW", code=22)
    assert np.load(f"{folder}/ms/Add.s.1.2.{STAMP}.output.0.ND.npy").shape == (1,)


def check_convert_small_records(assay, folder, _samples):
    save(folder, f"Opdebug.Node_OpDebug.1.2.{STAMP}", [], [np.zeros(100, np.uint8)])
    convert(assay, f"{folder}/Opdebug.Node_OpDebug.1.2.{STAMP}", folder + "/out", code=11)


SCRIPT = """def convert(shape_from, shape_to, array):
    return array.reshape(-1)[::-1]
"""


def check_convert_scripts_for_folders(assay, folder, _samples):
    os.makedirs(folder + "/own/format_convert")
    script = folder + "/own/format_convert/convert_ND_to_NCHW.py"
    with open(script, "w") as file:
        file.write(SCRIPT)
    dump(folder + "/in", "a", [np.arange(3, dtype="f4")])
    convert(assay, folder + "/in", folder + "/out", "-f", "NCHW", "-c", folder + "/own")
    written = np.load(f"{folder}/out/Add.a.1.2.{STAMP}.output.0.3.npy")
    assert written.tolist() == [2, 1, 0], written
