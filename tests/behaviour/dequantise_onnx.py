"""A quantised ONNX model against its float original: integers are seen as what they stand for."""
import json
import os

import numpy as np

import program
from tiny_onnx import INT8, field, model, node, tensor, value_info, varint

SCALE = 0.05
CHANNEL_SCALES = np.array([0.01, 0.02, 0.04], "f4")
CHANNEL_ZEROS = np.array([0, 5, -7], "i1")
SHAPE = (2, 3, 4, 5)


def constant(name, array):
    """A node that holds a tensor, as exporters write small ones."""
    value = field(1, "value") + field(5, tensor("", array)) + field(20, 4)
    return field(2, [name]) + field(3, "const_" + name) + field(4, "Constant") + field(5, value)


def packed(name, kind, numbers):
    """Values in int32_data, as make_tensor writes those of 8 bits."""
    data = b"".join(varint(n & (1 << 64) - 1) for n in numbers)
    return field(1, [len(numbers)]) + field(2, kind) + field(8, name) + field(5, data)


def quantised_model():
    """x -> Relu r -> Q/DQ (per tensor, constants) -> Neg n -> Q/DQ (per axis, initializers), and a
    quantised operator whose result is called as its original with a mark."""
    nodes = [constant("s", np.float32(SCALE)), constant("z", np.uint8(128)),
             node("Relu", ["x"], ["r"]),
             node("QuantizeLinear", ["r", "s", "z"], ["r_QuantizeLinear_Output"]),
             node("Reshape", ["r_QuantizeLinear_Output", "shape"], ["flat"]),
             node("DequantizeLinear", ["r_QuantizeLinear_Output", "s", "z"], ["r_DequantizeLinear_Output"]),
             node("Neg", ["r_DequantizeLinear_Output"], ["n"]),
             node("QuantizeLinear", ["n", "cs", "cz"], ["n_QuantizeLinear_Output"], axis=1),
             node("QLinearMatMul", ["a", "s", "z", "b", "s", "z", "s", "z"], ["m_quantized"])]
    weights = {"cs": CHANNEL_SCALES, "shape": np.array([-1], "i8")}
    return model(nodes, [value_info("x", SHAPE)], [value_info("n_QuantizeLinear_Output", SHAPE, INT8)],
                  weights, more=[packed("cz", INT8, [int(z) for z in CHANNEL_ZEROS])])


def quantise(x, scale, zero, kind):
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    return np.clip(np.round(x / scale) + zero, low, high).astype(kind)


def write(folder):
    rng = np.random.default_rng(8)
    golden = {"r": rng.uniform(0, 6, SHAPE), "n": rng.uniform(-0.8, 0.8, SHAPE), "m": rng.uniform(0, 6, (4, 4)),
              "untouched": rng.uniform(0, 1, 4)}
    golden = {name: x.astype("f4") for name, x in golden.items()}
    per_axis = (1, 3, 1, 1)
    r = quantise(golden["r"], SCALE, 128, "u1")
    target = {"r": golden["r"], "r_QuantizeLinear_Output": r,
              "r_DequantizeLinear_Output": ((r.astype("f4") - 128) * np.float32(SCALE)),
              "n": golden["n"],
              "n_QuantizeLinear_Output": quantise(golden["n"], CHANNEL_SCALES.reshape(per_axis),
                                                  CHANNEL_ZEROS.reshape(per_axis), "i1"),
              "m_quantized": quantise(golden["m"], SCALE, 128, "u1")}
    for side, arrays in (("golden", golden), ("target", target)):
        os.makedirs(os.path.join(folder, side), exist_ok=True)
        for name, array in arrays.items():
            np.save(os.path.join(folder, side, name + ".npy"), array)
    with open(os.path.join(folder, "int8.onnx"), "wb") as file:
        file.write(quantised_model())
    return golden, target


def compare(assay, folder, *more):
    report = assay.json("compare", os.path.join(folder, "golden"), os.path.join(folder, "target"), "--graph",
                        os.path.join(folder, "int8.onnx"), *more)
    program.expect_whole(report)
    return report


def stem(side):
    return side[0]["file"].removesuffix(".npy")


def check_pairs_and_values(assay, folder, _samples):
    golden, target = write(folder)
    report = compare(assay, folder)
    assert report["pairing"]["strategy"] == "onnx-names", report["pairing"]
    rows = {stem(row["target"]): row for row in report["rows"]}
    assert {t: stem(row["golden"]) for t, row in rows.items()} == {
        "r": "r", "r_QuantizeLinear_Output": "r", "r_DequantizeLinear_Output": "r", "n": "n",
        "n_QuantizeLinear_Output": "n", "m_quantized": "m"}, rows.keys()
    assert {row["verdict"] for row in rows.values()} == {"pass"}, [(r["name"], r["why"]) for r in report["rows"]]
    assert [u["name"] for u in report["unpaired"]] == ["untouched"], report["unpaired"]
    one, axis = rows["r_QuantizeLinear_Output"], rows["n_QuantizeLinear_Output"]
    assert one["steps"] == ["target: dequantise, (x - 128) * 0.05"], one["steps"]
    assert axis["steps"] == ["target: dequantise, 3 scales along dimension 1"], axis["steps"]
    assert "quantised" in axis["why_paired"], axis
    assert len({row["name"] for row in rows.values()}) == len(rows), [row["name"] for row in rows.values()]
    scales, zeros = CHANNEL_SCALES.astype("f8").reshape(1, 3, 1, 1), CHANNEL_ZEROS.reshape(1, 3, 1, 1)
    means = (target["n_QuantizeLinear_Output"].astype("f8") - zeros) * scales
    difference = np.abs(means - golden["n"])
    assert abs(axis["metrics"]["max_abs"] - difference.max()) < 1e-6, axis["metrics"]
    assert abs(axis["metrics"]["mean_abs"] - difference.mean()) < 1e-6, axis["metrics"]
    for row in rows.values():
        assert row["verdict"] == "pass", row


def check_a_wrong_zero_point(assay, folder, _samples):
    """One channel off by two steps: not what rounding does."""
    write(folder)
    path = os.path.join(folder, "target", "n_QuantizeLinear_Output.npy")
    wrong = np.load(path)
    wrong[:, 2] += 2
    np.save(path, wrong)
    row = next(r for r in compare(assay, folder)["rows"] if stem(r["target"]) == "n_QuantizeLinear_Output")
    assert row["verdict"] in ("fail", "unsure"), row
    assert row["worst"][0]["index"][1] == 2, row["worst"]
    assert abs(row["worst"][0]["target"] - row["worst"][0]["golden"]) > 1.4 * CHANNEL_SCALES[2], row["worst"]


def check_scales_that_do_not_fit(assay, folder, _samples):
    """Three scales for a dimension of two: said, and the integers stay what they are."""
    write(folder)
    for side, name in (("golden", "n"), ("target", "n_QuantizeLinear_Output")):
        path = os.path.join(folder, side, name + ".npy")
        np.save(path, np.load(path)[:, :2])
    row = next(r for r in compare(assay, folder)["rows"] if stem(r["target"]) == "n_QuantizeLinear_Output")
    assert row["steps"] == ["target: kept as integers: 3 scales do not fit [2,2,4,5]"], row["steps"]


def check_many_blocks(assay, folder, _samples):
    """Scales go on where a block of the reader or a chunk ends."""
    write(folder)
    shape = (3, 3, 701, 1009)
    x = np.random.default_rng(4).uniform(-0.8, 0.8, shape).astype("f4")
    per_axis = (1, 3, 1, 1)
    np.save(os.path.join(folder, "golden", "n.npy"), x)
    q = quantise(x, CHANNEL_SCALES.reshape(per_axis), CHANNEL_ZEROS.reshape(per_axis), "i1")
    np.save(os.path.join(folder, "target", "n_QuantizeLinear_Output.npy"), q)
    means = (q.astype("f8") - CHANNEL_ZEROS.reshape(per_axis)) * CHANNEL_SCALES.astype("f8").reshape(per_axis)
    for threads in ("1", "2"):
        report = compare(assay, folder, "--threads", threads)
        row = next(r for r in report["rows"] if stem(r["target"]) == "n_QuantizeLinear_Output")
        assert row["verdict"] == "pass", row
        assert abs(row["metrics"]["mean_abs"] - np.abs(means - x).mean()) < 1e-7, row["metrics"]


def check_a_saved_run(assay, folder, _samples):
    """Without the graph a row is not looked at as something else: what was saved is shown."""
    write(folder)
    run = os.path.join(folder, "run.assay")
    path = os.path.join(folder, "target", "n_QuantizeLinear_Output.npy")
    np.save(path, np.load(path) + np.int8(2))
    row = next(r for r in compare(assay, folder, "-o", run)["rows"] if stem(r["target"]) == "n_QuantizeLinear_Output")
    done = assay.run("show", run, row["name"], "--json")
    shown = [r for r in json.loads("[" + done.stdout.replace("}\n{", "},{") + "]") if r["row"] == row["row"]]
    assert "cannot be seen as it was" in done.stderr, done.stderr
    assert shown[0]["worst"] == row["worst"], shown
