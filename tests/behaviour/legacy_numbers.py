"""--metrics with the names of old tools: their numbers for pairs whose answers
the original tools gave (tests/data/metrics/expected.json)."""
import json
import os

import numpy as np

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "metrics")
GROUPS = "msaccucmp,msit,msprobe,precision_tool,teco"


def pair(name):
    return [f"{DATA}/pairs/{name}.{side}.npy" for side in ("golden", "my")]


def groups_of(assay, *words):
    rows = assay.json("compare", *words, "--metrics", GROUPS)["rows"]
    assert len(rows) == 1, rows
    return rows[0]["legacy"]


def messages_of(expected):
    if "error" in expected:
        return expected["error"]["message"]
    return ",".join(expected["messages"])


def check_numbers_of_msaccucmp(assay, _folder, _samples):
    with open(f"{DATA}/expected.json") as file:
        expected = json.load(file)
    for name, tools in expected.items():
        cells = groups_of(assay, *pair(name))["msaccucmp"]
        wanted = tools["msaccucmp"]
        assert cells["message"] == messages_of(wanted), (name, cells)
        for column, text in wanted.get("metrics", {}).items():
            if cells[column] != text:  # the last digit of a long sum
                assert tools["my"]["shape"][0] > 1000, (name, column, cells[column], text)
                assert abs(float(cells[column]) - float(text)) < 1.1e-6, (name, column)
        if "error" in wanted:
            assert cells["CosineSimilarity"] == "NaN", (name, cells)


def check_numbers_of_unlike_pairs(assay, _folder, _samples):
    """Pairs that we do not measure: the old tools have texts for them."""
    cells = groups_of(assay, *pair("60_shape_4x1_vs_4x5"))
    assert cells["msit"]["cmp_fail_reason"] == "data shape doesn't match.", cells
    assert cells["msit"]["my_shape"] == "[4, 1]" and "cosine_similarity" not in cells["msit"]
    assert cells["msprobe"]["Cosine"] == "shape unmatched", cells
    assert cells["precision_tool"]["NumCnt"] == "20", cells  # padded with zeros
    assert "message" in cells["msaccucmp"], cells
    empty = groups_of(assay, *pair("63_empty_0x3"))
    assert empty["msprobe"]["Cosine"] == "unsupported", empty
    assert empty["msaccucmp"]["CosineSimilarity"] == "1.0", empty


def check_numbers_of_empty_bools(assay, folder, _samples):
    """They are bool, too: two algorithms of ten take them."""
    np.save(folder + "/e.npy", np.zeros(0, bool))
    cells = groups_of(assay, folder + "/e.npy", folder + "/e.npy")["msaccucmp"]
    assert cells["AccumulatedRelativeError"] == cells["StandardDeviation"] == "NaN", cells
    assert cells["message"].count("does not support Boolean types.") == 8, cells


def check_numbers_of_mixed_kinds(assay, folder, _samples):
    """Complex against real: float32 has no imaginary part."""
    real = np.arange(1, 9, dtype=np.float32)
    np.save(folder + "/g.npy", real)
    np.save(folder + "/m.npy", real + 5j)
    cells = groups_of(assay, folder + "/g.npy", folder + "/m.npy")
    assert cells["msaccucmp"]["MaxAbsoluteError"] == "0.000000", cells
    assert cells["msit"]["my_dtype"] == "torch.complex64", cells


def check_numbers_of_complex(assay, folder, _samples):
    """dump_tools takes complex arrays as they are."""
    golden = np.exp(1j * np.arange(5000)).astype(np.complex64)
    for my, root in ((golden * np.complex64(1.5), 0.5), (golden * np.complex64(1 + 0.5j), 0.5j), (golden, 0)):
        np.save(folder + "/g.npy", golden)
        np.save(folder + "/m.npy", my)
        cells = groups_of(assay, folder + "/g.npy", folder + "/m.npy")["teco"]
        distance = np.abs(my - golden)
        for name, wanted in (("diff1", distance.sum() / np.abs(golden).sum()), ("mae", distance.mean()),
                             ("diff3_max", distance.max()), ("mape", distance.mean())):
            assert np.isclose(float(cells[name]), wanted, rtol=1e-6), (name, wanted, cells)
        assert np.isclose(abs(complex(cells["diff2_1"])), abs(root), rtol=1e-3), cells
    assert cells["diff2_1"] == "0j" and cells["diff4"] == "(-1, -1, 0)", cells


def check_numbers_of_golden_types(assay, folder, _samples):
    """dump_tools: what is of the golden side alone is made in its own type."""
    device = np.linspace(-3, 4, 3000, dtype=np.float32)
    for golden in (device.astype(np.float16) * 30, (device * 9).astype(np.int8), np.arange(3000).astype(np.int32) * 90,
                   device > 0):
        for my in (device, device.astype(np.float64), (device * 20).astype(np.int16)):
            np.save(folder + "/g.npy", golden)
            np.save(folder + "/m.npy", my)
            cells = groups_of(assay, folder + "/g.npy", folder + "/m.npy")["teco"]
            with np.errstate(all="ignore"):
                wanted = np.abs(my - golden).sum() / np.abs(golden).sum()
                squares = float(((my - golden) ** 2).sum() / (golden ** 2).sum()) ** 0.5
            where = (my.dtype, golden.dtype, cells)
            assert np.isclose(float(cells["diff1"]), float(wanted), rtol=1e-6, atol=0, equal_nan=True), (wanted, where)
            if not isinstance(squares, complex):  # a sum that wrapped around
                assert np.isclose(float(cells["diff2_1"]), squares, rtol=1e-6, atol=0, equal_nan=True), (squares, where)


def check_numbers_of_big_endian(assay, folder, _samples):
    """msprobe knows no big-endian floats: it makes them float64, and another type."""
    golden = np.linspace(1, 2, 64, dtype=np.float32)
    my = golden * np.linspace(1, 1.01, 64, dtype=np.float32)
    relative = np.abs((my.astype(np.float64) - golden) / golden)
    for my_order, golden_order, message in ((">", ">", ""), ("<", ">", "Dtype of NPU and bench tensor do not match.")):
        np.save(folder + "/g.npy", golden.astype(golden_order + "f4"))
        np.save(folder + "/m.npy", my.astype(my_order + "f4"))
        cells = groups_of(assay, folder + "/g.npy", folder + "/m.npy")["msprobe"]
        assert cells["MaxRelativeErr"] == str(float("%.12f" % relative.max())), (cells, relative.max())
        assert cells["message"] == message, cells


def share(array):
    if array.max() != array.min():
        array = (array - array.min()) / (array.max() - array.min())
    array = np.maximum(array, np.float32(1.1920928955078125e-07))
    return array / array.sum()


def numpy_says(my, golden):
    """The rules of the table, written with NumPy."""
    my, golden = my.astype(np.float32).ravel(), golden.astype(np.float32).ravel()
    difference = np.abs(my - golden)
    with np.errstate(all="ignore"):
        relative = np.where(np.abs(golden) > 2.220446049250313e-16, np.abs(my / golden - 1),
                            np.float32(0))
        unit = (my / np.sqrt(np.sum(my * my))) * (golden / np.sqrt(np.sum(golden * golden)))
    p, q = share(my), share(golden)
    ratio = np.sum(difference * difference) / np.sum(golden * golden)
    return {"MaxAbsoluteError": difference.max(), "MeanAbsoluteError": difference.mean(),
            "AccumulatedRelativeError": relative.sum(), "MeanRelativeError": relative.mean(),
            "MaxRelativeError": relative.max(), "CosineSimilarity": min(unit.sum(), 1.0),
            "RelativeEuclideanDistance": float(ratio) ** 0.5,
            "KullbackLeiblerDivergence": np.sum(p * np.log(p / q)),
            "RootMeanSquareError": np.sqrt(np.mean(difference * difference))}


def check_numbers_equal_numpy(assay, folder, _samples):
    """To the last digit of the text, for lengths around NumPy's chunks."""
    random = np.random.default_rng(7)
    for number, length in enumerate((1, 7, 9, 129, 8191, 8192, 8193, 20000, 100003)):
        kind = (np.float32, np.float16, np.float64, np.int32)[number % 4]
        golden = (random.standard_normal(length) * 50).astype(kind)
        my = (golden + random.standard_normal(length) * 2).astype(kind)
        np.save(folder + "/g.npy", golden.reshape(1, length))
        np.save(folder + "/m.npy", my.reshape(1, length))
        cells = groups_of(assay, folder + "/g.npy", folder + "/m.npy")["msaccucmp"]
        for column, value in numpy_says(my, golden).items():
            if length == 1 and column == "CosineSimilarity":
                continue  # a scalar has no direction
            assert cells[column] == "%.6f" % value, (length, kind, column, cells[column], value)


def msaccucmp_by_numpy(m, g):
    """Cosine, divergence and deviation as the original computes them."""
    cosine = np.sum(m / np.sqrt(np.sum(m * m)) * (g / np.sqrt(np.sum(g * g))))
    eps = np.finfo(np.float32).eps
    p, q = [np.maximum((x - x.min()) / (x.max() - x.min()), eps) for x in (m, g)]
    p, q = p / np.sum(p), q / np.sum(q)
    text = lambda v: f"{v if abs(v) >= 0.001 else 0:.3f}"
    wide = [x.astype(np.float64) for x in (m, g)]
    deviation = ",".join(f"({text(x.mean())};{text(x.std())})" for x in wide)
    return float(min(cosine, 1)), float(np.sum(p * np.log(p / q))), deviation


def check_numbers_of_long_sums(assay, folder, _samples):
    """More terms than one chunk of NumPy's: at most the sixth decimal differs."""
    random = np.random.default_rng(3)
    for case in range(24):
        n = int(random.integers(8193, 300000))
        scale = np.float32(10.0 ** random.integers(-6, 7))
        g = (random.standard_normal(n).astype(np.float32) + case % 3 * 4) * scale
        noise = random.standard_normal(n).astype(np.float32)
        m = g + noise * scale * np.float32(10.0 ** -random.integers(0, 5))
        if case % 4 == 3:  # every layer after a ReLU
            g, m = np.maximum(g, 0), np.maximum(m, 0)
        np.save(folder + "/g.npy", g)
        np.save(folder + "/m.npy", m)
        cells = groups_of(assay, folder + "/g.npy", folder + "/m.npy")["msaccucmp"]
        cosine, divergence, deviation = msaccucmp_by_numpy(m, g)
        assert abs(float(cells["CosineSimilarity"]) - cosine) < 1.1e-6, (case, cells, cosine)
        assert abs(float(cells["KullbackLeiblerDivergence"]) - divergence) < 1.1e-6, (
            case, cells, divergence)
        assert cells["StandardDeviation"] == deviation, (case, cells, deviation)
