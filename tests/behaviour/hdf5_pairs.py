"""PyTorch's HDF5 dumps: executions of operators, whatever the device calls them."""
import os

import hdf5_calls
import program

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "hdf5")

PAIRS = {  # as msaccucmp prints them
    "AddmmBackward/4/input/mat1": "AddmmBackward/2/input/mat1",
    "AddmmBackward/4/output/result": "AddmmBackward/2/output/result",
    "NpuConvolutionBackward/5/input/input": "CudnnConvolutionBackward/3/input/self",
    "AddmmBackward/9/output/result": "AddmmBackward/7/output/result",
}


def check_hdf5_executions(assay, _folder, _samples):
    report = assay.json("compare", os.path.join(DATA, "gpu.h5"), os.path.join(DATA, "npu.h5"))
    program.expect_whole(report)
    assert report["pairing"]["strategy"] == "hdf5"
    found = {row["target"][0]["tensor"]: row["golden"][0]["tensor"] for row in report["rows"]}
    assert found == PAIRS, found


def check_hdf5_rule(assay, _folder, _samples):
    """Names of devices, counters, types, and a target that ran on loaded inputs."""
    for golden, target in (("calls_gpu", "calls_npu"), ("calls_gpu", "loaded_npu"),
                           ("calls_npu", "calls_npu")):
        report = assay.json("compare", os.path.join(DATA, golden + ".h5"),
                            os.path.join(DATA, target + ".h5"))
        program.expect_whole(report)
        found = {row["target"][0]["tensor"]: row["golden"][0]["tensor"] for row in report["rows"]}
        expected = hdf5_calls.pairs(golden, target)
        assert expected and found == expected, set(found.items()) ^ set(expected.items())
    report = assay.json("compare", os.path.join(DATA, "calls_gpu.h5"), os.path.join(DATA, "calls_npu.h5"))
    whys = {(u["side"], u["name"].split("/", 1)[1]): u["why"] for u in report["unpaired"]}
    other = "execution 0 of Index, but golden is f64 and target f32: not the same tensor"
    assert whys["golden", "Index/8/output/result"] == other, whys
    assert whys["target", "Index/16/output/result"] == other, whys
