"""PyTorch's HDF5 dumps: executions of operators, whatever the device calls them."""
import os

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
    program.check_report(report)
    assert report["pairing"]["strategy"] == "hdf5"
    found = {row["target"][0]["tensor"]: row["golden"][0]["tensor"] for row in report["rows"]}
    assert found == PAIRS, found
