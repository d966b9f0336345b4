"""Corners of msaccucmp that a sweep against the original brought up, each with its rule."""
import csv
import glob
import os
import shutil
from uuid import NAMESPACE_DNS, uuid3

import ascend_files as ascend
import numpy as np

TIME = 1700000000000000
NCHW, ND, FRACTAL_Z, CHWN = 0, 2, 4, 14


def table(folder, kind="result"):
    [path] = glob.glob(f"{folder}/out/{kind}_*.csv")
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    shutil.rmtree(folder + "/out")
    return rows


def run(assay, folder, code, *words, kind="result"):
    assay.run("msaccucmp", "compare", "-m", folder + "/my", "-g", folder + "/golden", *words, "-out",
              folder + "/out", code=code)
    return table(folder, kind)


def framework(folder, name, array, index=0):
    os.makedirs(folder + "/golden", exist_ok=True)
    np.save(f"{folder}/golden/{name}.{index}.{TIME}.npy", array)


def dump(folder, side, kind, name, **more):
    ascend.save(f"{folder}/{side}", f"{kind}.{name}.1.2.{TIME}", **more)


def tensor(array, layout, original=None):
    array = np.asarray(array)
    return ascend.Tensor(ascend.TYPES[array.dtype.str[1:]], array.shape, array.tobytes(), layout,
                         original=array.shape if original is None else original)


def described(layout, shape):
    out = ascend.output()
    out["attr"][0]["value"]["s"] = layout
    out["attr"].append({"key": "origin_shape", "value": {"list": {"i": list(shape)}}})
    return out


def check_msaccucmp_dump_without_rows(assay, folder, _samples):
    """What was dumped and has nothing to compare is a row without a reason, and no failure."""
    x = np.arange(6, dtype=np.float32)
    ascend.save_graph(folder + "/graph.json", ("g", [
        ascend.op("x", "Data", outputs=[ascend.output()]),
        ascend.op("q", "AscendQuant", ["x:0"], [ascend.output(dtype="DT_INT8")]),
        ascend.op("end", "NetOutput", ["x:0"])]))
    dump(folder, "my", "Data", "x", outputs=[x])
    dump(folder, "my", "AscendQuant", "q", outputs=[x])  # its outputs are not compared
    dump(folder, "my", "NetOutput", "end")
    dump(folder, "my", "Add", "noise_quant", outputs=[x])
    os.remove(f"{folder}/my/Add.noise_quant.1.2.{TIME}")
    framework(folder, "x", x)
    rows = run(assay, folder, 0, "-f", folder + "/graph.json")
    assert [(r["NPUDump"], r["TensorIndex"], r["CompareFailReason"]) for r in rows] == [
        ("x", "x:output:0", ""), ("q", "NaN", ""), ("end", "NaN", "")], rows
    rows = run(assay, folder, 0, "-f", folder + "/graph.json", "-map", kind="mapping")
    assert [r["NPUDump"] for r in rows] == ["x"], rows
    assert rows[0]["GroundTruthPath"] == os.path.realpath(f"{folder}/golden/x.0.{TIME}.npy"), rows
    shutil.rmtree(folder + "/golden")
    shutil.copytree(folder + "/my", folder + "/golden")
    dump(folder, "golden", "Data", "x", outputs=[x, x])
    rows = run(assay, folder, 11)
    assert {r["NPUDump"]: r["CompareFailReason"] for r in rows if r["TensorIndex"] == "NaN"} == {
        "x": "[x] There is no input. Skip the x:input.,[x] The number of output does not match (1 vs 2).",
        "end": "[end] There is no input. Skip the end:input.,[end] There is no output. Skip the end:output."}


def packed(x):
    """NCHW in cubes of 16 by 16."""
    n, c, h, w = x.shape
    whole = np.zeros((-(-n // 16) * 16, -(-c // 16) * 16, h, w), x.dtype)
    whole[:n, :c] = x
    cubes = whole.reshape(whole.shape[0], -1, 16, h, w).transpose(1, 3, 4, 0, 2)
    return cubes.reshape(-1, whole.shape[0] // 16, 16, 16).copy()


def check_msaccucmp_packs_weights(assay, folder, _samples):
    """Against a device's FRACTAL_Z, my side is packed, with cubes of 16 for any type."""
    x = np.random.default_rng(3).integers(-99, 99, (17, 18, 2, 3)).astype(np.int8)
    ascend.save_graph(folder + "/on.json", ("g", [ascend.op("w", "Const", outputs=[described("NCHW", x.shape)])]))
    shutil.copy(folder + "/on.json", folder + "/off.json")
    dump(folder, "my", "Const", "w", outputs=[tensor(x, NCHW)])
    dump(folder, "golden", "Const", "w", outputs=[tensor(packed(x), FRACTAL_Z, x.shape)])
    [row] = run(assay, folder, 0, "-f", folder + "/on.json", "-cf", folder + "/off.json")
    assert row["Shape"] == "[12,2,16,16]" and row["MaxAbsoluteError"] == "0.000000", row
    file = f"Const.w.1.2.{TIME}"
    assay.run("msaccucmp", "convert", "-d", f"{folder}/my/{file}", "-f", "FRACTAL_Z", "-out", folder + "/c", code=0)
    assert np.array_equal(np.load(f"{folder}/c/{file}.output.0.12x2x16x16.npy"), packed(x))


SCRIPT = """
def convert(shape_from, shape_to, array):
    return array.reshape(shape_from).transpose(3, 0, 1, 2)
"""


def check_msaccucmp_layout_scripts(assay, folder, _samples):
    """format_convert/convert_A_to_B.py of -c knows layouts that nobody else does."""
    x = np.random.default_rng(4).standard_normal((2, 3, 4, 5)).astype(np.float32)
    dump(folder, "my", "Add", "a", outputs=[tensor(x.transpose(1, 2, 3, 0).copy(), CHWN, x.shape)])
    framework(folder, "a", x)
    ascend.save_graph(folder + "/graph.json", ("g", [ascend.op("a", "Add", outputs=[described("NCHW", x.shape)])]))
    os.makedirs(folder + "/own/format_convert")
    script = folder + "/own/format_convert/convert_CHWN_to_NCHW.py"
    words = ["-f", folder + "/graph.json"]
    [row] = run(assay, folder, 0, *words)
    assert row["CosineSimilarity"] == "NaN" and row["CompareFailReason"] == "", row
    file = f"Add.a.1.2.{TIME}"
    for text, cosine, code in ((SCRIPT, "1.000000", 0), ("def convert(a, b, c):\n    raise ValueError('no')\n", "NaN", 26)):
        with open(script, "w") as out:
            out.write(text)
        [row] = run(assay, folder, 0, *words, "-c", folder + "/own")
        assert row["CosineSimilarity"] == cosine, row
        assay.run("msaccucmp", "convert", "-d", f"{folder}/my/{file}", "-f", "NCHW", "-c", folder + "/own", "-out",
                  folder + "/c", code=code)
    assert np.array_equal(np.load(f"{folder}/c/{file}.output.0.2x3x4x5.npy"), x)


def check_msaccucmp_pb_goldens(assay, folder, _samples):
    """OPERATOR.INDEX.TIME.pb is a dump with one output, of a framework."""
    x = np.arange(6, dtype=np.float32)
    ascend.save_graph(folder + "/graph.json", ("g", [ascend.op("a", "Add", outputs=[ascend.output()])]))
    dump(folder, "my", "Add", "a", outputs=[x])
    ascend.save(folder + "/golden", f"a.0.{TIME}.pb", outputs=[x + 1])
    [row] = run(assay, folder, 0, "-f", folder + "/graph.json")
    assert row["MaxAbsoluteError"] == "1.000000" and "Address" in row, row
    ascend.save(folder + "/golden", f"b.0.{TIME}.quant", outputs=[x])
    assay.run("msaccucmp", "compare", "-m", folder + "/my", "-g", folder + "/golden", code=18)


def check_msaccucmp_overflow_of_padding(assay, folder, _samples):
    """OverFlow tells of the dump as it is: its padding, and what -max leaves out."""
    x = np.ones((1, 1, 2, 2, 16), np.float16)
    x[..., 15] = 65504
    dump(folder, "my", "Add", "a", outputs=[tensor(x, ascend.NC1HWC0, (1, 3, 2, 2))])
    framework(folder, "a", np.ones((1, 3, 2, 2), np.float32))
    ascend.save_graph(folder + "/graph.json", ("g", [ascend.op("a", "Add", outputs=[described("NCHW", (1, 3, 2, 2))])]))
    for more in ([], ["-max", "2"]):
        [row] = run(assay, folder, 0, "-f", folder + "/graph.json", "-overflow_detection", *more)
        assert (row["Shape"], row["OverFlow"], row["MaxAbsoluteError"]) == ("[1,3,2,2]", "YES", "0.000000"), row


def check_msaccucmp_groups_of_quantised(assay, folder, _samples):
    """Through a quantiser's rule, operators are grouped by their new originals alone."""
    x = np.arange(4, dtype=np.float32)
    l1 = {"_L1_fusion_sub_graph_no": {"s": "1"}}
    ascend.save_graph(folder + "/graph.json", ("g", [
        ascend.op("a", "Add", outputs=[ascend.output("qa")], originals=["qa"], **l1),
        ascend.op("b_quant", "Mul", outputs=[ascend.output("qb")], originals=["qb"], **l1)]))
    ascend.save_graph(folder + "/rule.json", ("g", [
        ascend.op(f"q{n}", "Add", outputs=[ascend.output(f"t{n}")], originals=[f"t{n}"]) for n in "ab"]))
    for kind, name in (("Add", "a"), ("Mul", "b_quant")):
        dump(folder, "my", kind, name, outputs=[x])
    for n in "ab":
        framework(folder, f"t{n}", x)
    rows = run(assay, folder, 0, "-f", folder + "/graph.json", "-q", folder + "/rule.json")
    assert [(r["Index"], r["NPUDump"], r["GroundTruth"], r["CosineSimilarity"]) for r in rows] == [
        ("0", "a", "ta", "1.000000"), ("1", "b_quant", "tb", "1.000000")], rows


def check_msaccucmp_convert_corners(assay, folder, _samples):
    x = np.arange(6, dtype=np.float32)
    dump(folder, "in", "NetOutput", "end")
    np.save(folder + "/x.npy", x)
    convert = ("msaccucmp", "convert", "-out", folder + "/c", "-d")
    assay.run(*convert, folder + "/in", code=0)  # a dump without tensors is a good one
    assert not os.listdir(folder + "/c")
    assay.run(*convert, folder + "/x.npy", code=0)
    assert np.array_equal(np.load(folder + "/c/x.npy.output.0.npy"), x)
    shutil.rmtree(folder + "/c")
    assay.run(*convert, f"{folder}/nothing,{folder}/x.npy", code=0)  # the rest of a list is converted
    assert os.listdir(folder + "/c") == ["x.npy.output.0.npy"]


def check_msaccucmp_long_names(assay, folder, _samples):
    """A name of 255 characters gives way to that of the dump, or to its UUID."""
    op, x = "o" * 225, np.arange(6, dtype=np.float32)
    for side in ("my", "golden"):
        ascend.save(f"{folder}/{side}", f"Add.{op}.1.2.{TIME}"[:254], outputs=[x])
    assay.run("msaccucmp", "convert", "-d", folder + "/my", "-out", folder + "/c", code=0)
    name = os.listdir(folder + "/my")[0] + ".output.0.npy"
    uuid = uuid3(NAMESPACE_DNS, name).hex
    assert sorted(os.listdir(folder + "/c")) == sorted([uuid + ".npy", "mapping.csv"]), os.listdir(folder + "/c")
    with open(folder + "/c/mapping.csv") as text:
        assert text.read() == f"{uuid}.npy,{name}\n"
    assay.run("msaccucmp", "compare", "-m", folder + "/my", "-g", folder + "/golden", "-op", op, "-out", folder + "/d",
              code=0)
    old = op + "_output_0_absolute_error_topn.csv"
    new = uuid3(NAMESPACE_DNS, old).hex + "_absolute_error_topn.csv"
    with open(folder + "/d/simple_op_mapping.csv") as text:
        assert f"{new},{old}\n" in text.read()
    assert {new, op + "_output_0.npy", op + "_output_0_0.csv"} <= set(os.listdir(folder + "/d")), os.listdir(folder + "/d")
