"""Networks of our own against msaccucmp's formulas, worked out here in NumPy.

Other types, layouts and shapes than the samples have: several outputs, NaN, Inf, zeros, fusion,
tensors that do not fit. Cells are equal as text; sums of many float32 may differ in the last digit.
"""
import csv
import glob
import os

import ascend_files as ascend
import numpy as np

EPS = np.finfo(np.float64).eps
EPS32 = np.finfo(np.float32).eps
TIME = 1700000000000000
FRACTAL_Z, FRACTAL_NZ = 4, 29


def relative(my, golden):
    with np.errstate(all="ignore"):
        return np.where(np.abs(golden) > EPS, np.abs(my / golden - 1), 0).astype(np.float32)


def cosine(my, golden):
    norms = [np.sqrt((x * x).sum()) for x in (my, golden)]
    if norms[0] <= EPS and norms[1] < EPS:
        return "1.0"
    if min(norms) == 0:
        return "NaN"
    return "%.6f" % min(((my / norms[0]) * (golden / norms[1])).sum(), 1.0)


def share(x):
    low, high = x.min(), x.max()
    x = (x - low) / (high - low) if high != low else x
    x = np.maximum(x, EPS32)
    return x / x.sum()


def divergence(my, golden):
    p, q = share(my), share(golden)
    value = float((p * np.log(p / q)).sum())
    return "%.6f" % (0 if abs(value) < EPS else value)


def spread(x):
    return "(%.3f;%.3f)" % tuple(0.0 if abs(v) < 0.001 else v
                                 for v in (x.astype(np.float64).mean(), x.astype(np.float64).std()))


def metrics(my, golden):
    """The ten cells, as the original prints them."""
    my, golden = (np.asarray(x).reshape(-1).astype(np.float32) for x in (my, golden))
    e, d = relative(my, golden), my - golden
    squares = (golden * golden).sum()
    distance = 0.0 if float(squares) ** 0.5 <= EPS else float((d * d).sum() / squares) ** 0.5
    with np.errstate(all="ignore"):
        return [cosine(my, golden), "%.6f" % np.abs(d).max(), "%.6f" % e.sum(), "%.6f" % distance,
                divergence(my, golden), spread(my) + "," + spread(golden), "%.6f" % np.abs(d).mean(),
                "%.6f" % float((d * d).mean()) ** 0.5, "%.6f" % e.max(), "%.6f" % e.mean()]


def alike(got, wanted):
    if got.replace("-0.000000", "0.000000") == wanted.replace("-0.000000", "0.000000"):
        return True
    try:
        return abs(float(got) - float(wanted)) <= 1e-6 * max(1, abs(float(wanted)))
    except ValueError:
        return False


def described(layout, origin, shape, index=0):
    """An output of the graph that holds a tensor of the framework."""
    out = ascend.output(origin, index)
    out["attr"][0]["value"]["s"] = layout
    out["attr"].append({"key": "origin_shape", "value": {"list": {"i": list(shape)}}})
    return out


def fz(x):
    n, c, h, w = x.shape
    whole = np.zeros((-(-n // 16) * 16, -(-c // 16) * 16, h, w), x.dtype)
    whole[:n, :c] = x
    blocks = whole.reshape(whole.shape[0], -1, 16, h, w).transpose(1, 3, 4, 0, 2)
    return blocks.reshape(-1, whole.shape[0] // 16, 16, 16).copy()


def nz(x):
    *batch, h, w = x.shape
    whole = np.zeros((*batch, -(-h // 16) * 16, -(-w // 16) * 16), x.dtype)
    whole[..., :h, :w] = x
    k = len(batch)
    blocks = whole.reshape(*batch, whole.shape[k] // 16, 16, whole.shape[k + 1] // 16, 16)
    return blocks.transpose(*range(k), k + 2, k, k + 1, k + 3).copy()


def stored(x, packed, layout):
    return ascend.Tensor(ascend.TYPES[x.dtype.str[1:]], packed.shape, packed.tobytes(), layout,
                         original=x.shape)


def golden(folder, name, array, index=0):
    os.makedirs(folder + "/golden", exist_ok=True)
    np.save(f"{folder}/golden/{name}.{index}.{TIME}.npy", array)


def compare(assay, folder, code, *words):
    graph = ("-f", folder + "/graph.json") if os.path.exists(folder + "/graph.json") else ()
    out = folder + "/out"
    assay.run("msaccucmp", "compare", "-m", folder + "/my", "-g", folder + "/golden", *graph, *words,
              "-out", out, code=code)
    with open(glob.glob(out + "/result_*.csv")[0], newline="") as file:
        heading, *rows = csv.reader(file)
    assert heading[-1] == "CompareFailReason" and "TensorIndex" in heading, heading
    name, first = heading.index("TensorIndex"), heading.index("CosineSimilarity")
    return {row[name]: {"row": row, "values": row[first:-1], "shape": row[name + 1], "why": row[-1]}
            for row in rows}


def expect(row, shape, my, reference):
    assert row["shape"] == shape, row
    for got, wanted in zip(row["values"], metrics(my, reference), strict=True):
        assert alike(got, wanted), (row["row"], metrics(my, reference))


def check_msaccucmp_layouts(assay, folder, _samples):
    """Device layouts against what a framework has, in its own order of dimensions."""
    rng = np.random.default_rng(1)
    weights = rng.standard_normal((5, 3, 2, 2)).astype(np.float32)
    matrix = rng.standard_normal((3, 17, 20)).astype(np.float16)
    plain = rng.integers(-50, 50, (2, 3, 4, 5)).astype(np.int16)
    off = [weights + np.float32(0.01), (matrix * np.float16(1.01)), plain + np.int16(1)]
    ascend.save(folder + "/my", f"Conv2D.w.1.0.{TIME}", outputs=[stored(off[0], fz(off[0]), FRACTAL_Z)])
    ascend.save(folder + "/my", f"MatMulV2.m.2.0.{TIME}", outputs=[stored(off[1], nz(off[1]), FRACTAL_NZ)])
    ascend.save(folder + "/my", f"Relu.p.3.0.{TIME}", outputs=[stored(off[2], off[2], ascend.NCHW)])
    golden(folder, "w", weights.transpose(2, 3, 1, 0))
    golden(folder, "m", matrix)
    golden(folder, "p", plain.transpose(0, 2, 3, 1))
    shapes = [("w", "HWCN", (2, 2, 3, 5)), ("m", "ND", (3, 17, 20)), ("p", "NHWC", (2, 4, 5, 3))]
    ascend.save_graph(folder + "/graph.json", ("g", [
        ascend.op(name, "Any", outputs=[described(layout, name, shape)]) for name, layout, shape in shapes]))
    rows = compare(assay, folder, 0)
    # The dump's own shape decides how FRACTAL_Z is cut, also where it is HWCN that is asked for.
    assert rows["w:output:0"]["values"] == ["NaN"] * 10 and not rows["w:output:0"]["why"], rows
    expect(rows["m:output:0"], "[3,17,20]", off[1], matrix)
    expect(rows["p:output:0"], "[2,4,5,3]", off[2].transpose(0, 2, 3, 1), plain.transpose(0, 2, 3, 1))


def check_msaccucmp_odd_values(assay, folder, _samples):
    """Several outputs: NaN, Inf, zeros, a constant, 64-bit numbers; -max takes the first elements."""
    rng = np.random.default_rng(2)
    normal = rng.standard_normal(40)
    pairs = [(np.where(np.arange(40) == 3, np.inf, normal).astype(np.float16), normal.astype(np.float32)),
             (np.zeros(40, np.float32), np.zeros(40)), (np.zeros(40, np.float32), normal),
             (np.full(40, 7, np.uint8), np.full(40, 7, np.uint8)),
             ((normal * 1e17).astype(np.int64), (normal * 1e17).astype(np.int64) + 3)]
    ascend.save(folder + "/my", f"Any.op.1.0.{TIME}", outputs=[my for my, _ in pairs])
    for i, (_, reference) in enumerate(pairs):
        golden(folder, "op", reference, i)
    ascend.save_graph(folder + "/graph.json", ("g", [ascend.op("op", "Any", outputs=[
        described("ND", "op", (40,), i) for i in range(len(pairs))])]))
    rows = compare(assay, folder, 0, "-max", "30", "-overflow_detection")
    overflow = [rows[f"op:output:{i}"]["row"][-12] for i in range(len(pairs))]
    assert overflow == ["YES", "NaN", "NaN", "NaN", "NaN"], overflow
    for i in (1, 3, 4):
        expect(rows[f"op:output:{i}"], "[40]", pairs[i][0][:30], pairs[i][1][:30])
    infinite, zero = rows["op:output:0"]["values"], rows["op:output:2"]
    assert infinite[:2] == ["nan", "inf"] and infinite[6:9] == ["inf"] * 3, infinite
    assert zero["values"][0] == "NaN" and "All the data is zero" in zero["why"], zero


def check_msaccucmp_what_does_not_fit(assay, folder, _samples):
    """Two operators for one original, a third without a dump; shapes that do not go together."""
    big, small = np.arange(12, dtype=np.float32).reshape(3, 4), np.ones((2, 4), np.float32)
    ascend.save(folder + "/my", f"Relu.a.1.0.{TIME}", outputs=[small])
    ascend.save(folder + "/my", f"Relu.b.2.0.{TIME}", inputs=[small],
                outputs=[stored(small, small, ascend.NCHW)])
    golden(folder, "one", big)
    both = {"originals": ["one"]}
    ascend.save_graph(folder + "/graph.json", ("g", [
        ascend.op("a", "Relu", outputs=[described("ND", "one", big.shape)], **both),
        ascend.op("b", "Relu", ["a:0"], [described("NCHW", "one", big.shape)], **both),
        ascend.op("c", "Relu", ["b:0"], [described("ND", "one", big.shape)], **both)]))
    rows = compare(assay, folder, 2)  # c has no dump, and no row beside the others
    assert set(rows) == {"a:output:0", "b:input:0", "b:output:0"}, rows
    assert {row["row"][2] for row in rows.values()} == {"a,b,c"}, rows
    sentence = ("[{}] Due to the different shapes on the left and right,the left dump data{} can not be "
                "compared to the right dump data{}. Please check the batch of the dump data or the shape "
                "may be changed due to optimization.")
    assert rows["a:output:0"]["why"] == sentence.format("a", "(8, 1, 1, 1)", "(12, 1, 1, 1)"), rows
    assert rows["b:output:0"]["why"] == sentence.format("b", "(2, 4, 1, 1)", "(3, 4, 1, 1)"), rows
    assert rows["b:output:0"]["shape"] == "[2,4]" and set(rows["b:output:0"]["values"]) == {"NaN"}


def check_msaccucmp_two_dumps(assay, folder, _samples):
    """Two device dumps: all values, whatever -max says; booleans count as numbers."""
    rng = np.random.default_rng(3)
    matrix = rng.standard_normal((5, 6)).astype(np.float32)
    other = matrix + np.float32(0.1)
    flags, wrong = np.arange(8) % 3 == 0, np.arange(8) % 2 == 0
    for side, x, y in (("my", matrix, flags), ("golden", other, wrong)):
        ascend.save(f"{folder}/{side}", f"MatMulV2.m.1.0.{TIME}", outputs=[stored(x, nz(x), FRACTAL_NZ)])
        ascend.save(f"{folder}/{side}", f"Less.f.2.0.{TIME + 1}", outputs=[y])
    ascend.save(folder + "/my", f"Pad.p.3.0.{TIME + 2}", outputs=[np.ones(3, np.float32)])
    ascend.save(folder + "/golden", f"Pad.p.3.0.{TIME + 2}", outputs=[np.ones(4, np.float32)])
    rows = compare(assay, folder, 11, "-max", "2")
    expect(rows["m:output:0"], "[1,1,16,16]", matrix, other)
    expect(rows["f:output:0"], "[8]", flags, wrong)
    assert rows["NaN"]["why"] == ("[p] There is no input. Skip the p:input.,[p] The shape does not match "
                                  "((3) vs (4)) for p:output:0."), rows["NaN"]


def check_msaccucmp_small_integers(assay, folder, _samples):
    """The detail table subtracts in the tensor's own type, where 7 - 8 is 65535."""
    my, reference = np.array([[7, 9], [3, 3]], np.uint16), np.array([[8, 8], [3, 1]], np.uint16)
    ascend.save(folder + "/my", f"Any.a_b.1.0.{TIME}", outputs=[my])
    golden(folder, "a_b", reference)
    ascend.save_graph(folder + "/graph.json", ("g", [
        ascend.op("a/b", "Any", outputs=[described("ND", "a/b", (2, 2))])]))
    assay.run("msaccucmp", "compare", "-m", folder + "/my", "-g", folder + "/golden", "-f",
              folder + "/graph.json", "-op", "a/b", "-out", folder + "/out", code=0)
    with open(folder + "/out/a_b_output_0_0.csv") as file:
        lines = file.read().splitlines()
    wrapped = np.abs(my - reference)
    ratio = wrapped / reference
    assert lines[1:] == [
        "%d,%d %d 0 0,%.6f\t,%.6f\t,%.6f\t,%.6f\t" % (i, i // 2, i % 2, my.flat[i], reference.flat[i],
                                                      wrapped.flat[i], ratio.flat[i])
        for i in range(4)], lines
    assert np.array_equal(np.load(folder + "/out/a_b_output_0.npy"), my)
