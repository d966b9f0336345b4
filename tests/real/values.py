"""What torch has in memory against what assay wrote."""
import numpy
import torch

# NumPy has no such types: assay widens them, which changes no value.
WIDER = {torch.bfloat16: torch.float32, torch.float8_e4m3fn: torch.float64,
         torch.float8_e5m2: torch.float64, torch.float8_e8m0fnu: torch.float64,
         torch.complex32: torch.complex64}


def expected(tensor):
    tensor = tensor.detach()
    return tensor.to(WIDER.get(tensor.dtype, tensor.dtype)).numpy()


def expect_same(array, tensor, name):
    """Type, shape and every bit; of widened types every value."""
    want = expected(tensor)
    assert array.dtype == want.dtype, (name, array.dtype, want.dtype)
    assert array.shape == want.shape, (name, array.shape, want.shape)
    if tensor.dtype in WIDER:
        assert numpy.array_equal(array, want, equal_nan=True), name
    else:
        assert array.tobytes() == numpy.ascontiguousarray(want).tobytes(), name


def converted(assay, path, folder):
    """The one tensor of a file, by way of .npy."""
    assay.run("convert", path, "--to", "npy", "-o", folder, code=0)
    return numpy.load(folder / f"{path.name}.npy", allow_pickle=False)


def members(assay, path, folder):
    """name: array, of a file with several tensors."""
    assay.run("convert", path, "--to", "npz", "-o", folder, code=0)
    with numpy.load(folder / f"{path.name}.npz", allow_pickle=False) as archive:
        return dict(archive)


def expect_equal_to_itself(assay, path):
    """The report: complete, nothing fails, and only what has no numbers is skipped."""
    report = assay.json("compare", path, path, code=0)
    for side in ("golden", "target"):
        cover = report["coverage"][side]
        assert cover["total"] > 0 and cover["unpaired"] == cover["error"] == 0, cover
    assert not report["unpaired"], report["unpaired"]
    for row in report["rows"]:
        assert row["verdict"] in ("pass", "trivial", "skipped"), row
        assert row["golden"] == row["target"], row
    return report
