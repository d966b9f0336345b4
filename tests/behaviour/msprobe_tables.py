"""assay compare --table msprobe on dumps of msprobe: columns of each kind of dump."""
import csv
import json
import os

import numpy as np

API = "Functional.linear.0.forward"


def tensor(name, **more):
    return {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2, 2], "Max": 4.0, "Min": 1.0,
            "Mean": 2.5, "Norm": 5.5, "requires_grad": False, **more, **({"data_name": name} if name else {})}


def write(folder, inputs, outputs, task="statistics"):
    os.makedirs(folder)
    data = {API: {"input_args": inputs, "input_kwargs": {}, "output": outputs}}
    with open(folder + "/dump.json", "w") as file:
        json.dump({"task": task, "level": "L1", "framework": "pytorch", "dump_data_dir": None, "data": data}, file)


def table(assay, folder):
    done = assay.run("compare", folder + "/golden", folder + "/my", "--table", "msprobe")
    return list(csv.DictReader(done.stdout.splitlines()))


def check_msprobe_grad(assay, folder, _samples):
    """Statistics: Requires_grad is what dump.json says; a difference is an error."""
    write(folder + "/golden", [tensor("", requires_grad=True)], [tensor("")])
    write(folder + "/my", [tensor("")], [tensor("")])
    first, second = table(assay, folder)
    assert (first["NPU Requires_grad"], first["Bench Requires_grad"]) == ("False", "True"), first
    assert (first["Requires_grad Consistent"], first["Result"]) == ("False", "error"), first
    assert (second["Requires_grad Consistent"], second["Result"]) == ("True", "pass"), second
    assert second["NPU l2norm"] == "5.5" and "Data_name" not in second, second


def check_msprobe_md5(assay, folder, _samples):
    write(folder + "/golden", [tensor("", md5="aa11")], [tensor("", md5="bb22")])
    write(folder + "/my", [tensor("", md5="aa11")], [tensor("", md5="cc33")])
    first, second = table(assay, folder)
    assert list(first)[6:] == ["NPU Requires_grad", "Bench Requires_grad", "NPU MD5", "BENCH MD5",
                               "Requires_grad Consistent", "Result", "Err_message"], list(first)
    assert (first["NPU MD5"], first["BENCH MD5"], first["Result"]) == ("aa11", "aa11", "pass"), first
    assert (second["NPU MD5"], second["BENCH MD5"], second["Result"]) == ("cc33", "bb22", "error"), second


def check_msprobe_values(assay, folder, _samples):
    """Values: the names of both files, and the statistics that dump.json has."""
    for side in ("golden", "my"):
        write(f"{folder}/{side}", [tensor(API + ".input.0.npy")], [tensor(API + ".output.0.npy")], "tensor")
        os.makedirs(f"{folder}/{side}/dump_tensor_data")
        for port in ("input", "output"):
            np.save(f"{folder}/{side}/dump_tensor_data/{API}.{port}.0.npy", np.array([[1, 2], [3, 4]], np.float32))
    first, _ = table(assay, folder)
    assert first["Data_name"] == f"['{API}.input.0.npy', '{API}.input.0.npy']", first
    assert first["NPU l2norm"] == "5.5" and first["Cosine"] == "1.0", first


def check_msprobe_unmatched(assay, folder, _samples):
    write(folder + "/golden", [tensor("")], [])
    write(folder + "/my", [tensor("")], [tensor("")])
    last = table(assay, folder)[-1]
    assert last["NPU Name"] == API + ".output.0" and last["Bench Name"] == "N/A", last
    assert last["NPU Dtype"] == "torch.float32" and last["NPU Tensor Shape"] == "[2, 2]", last
    assert last["Result"] == "N/A" and json.loads(last["Err_message"]) == ["no bench data matched"], last


def check_msprobe_values_missing(assay, folder, _samples):
    """A file that dump.json names and that is not there: nothing can be compared, and it is no error."""
    names = [f"{API}.input.{k}.npy" for k in range(3)]
    for side, missing in (("golden", names[0]), ("my", names[1])):
        write(f"{folder}/{side}", [tensor(name) for name in names], [], "tensor")
        os.makedirs(f"{folder}/{side}/dump_tensor_data")
        for name in names:
            if name != missing:
                np.save(f"{folder}/{side}/dump_tensor_data/{name}", np.ones((2, 2), np.float32))
    rows = table(assay, folder)
    assert [row["Cosine"] for row in rows] == ["unsupported", "unsupported", "1.0"], rows
    assert [row["Five Thousandths Err Ratio"] for row in rows] == ["unsupported", "unsupported", "1.0"], rows
    assert {row["Result"] for row in rows} == {"pass"} and rows[0]["NPU max"] == "4.0", rows


def check_msprobe_scalar_bool(assay, folder, _samples):
    """True is one more than False, not 255 less."""
    name = API + ".input.0.npy"
    for side, value in (("golden", True), ("my", False)):
        write(f"{folder}/{side}", [tensor(name, dtype="torch.bool", shape=[])], [], "tensor")
        os.makedirs(f"{folder}/{side}/dump_tensor_data")
        np.save(f"{folder}/{side}/dump_tensor_data/{name}", np.array(value))
    row, = table(assay, folder)
    assert (row["MaxAbsErr"], row["Cosine"]) == ("1.0", "unsupported"), row


def number(value, kind="int"):
    return {"type": kind, "value": value}


def check_msprobe_arguments(assay, folder, _samples):
    """Rows of numbers, texts and nothing; named by their place in the call."""
    write(folder + "/golden", [tensor(""), number(3), number("a", "str"), None, number([None, 3, None], "slice")], [])
    write(folder + "/my", [tensor(""), number(4), number("a", "str"), None, number([None, 3, None], "slice")], [])
    rows = table(assay, folder)
    assert [row["NPU Name"] for row in rows] == [f"{API}.input.{i}" for i in range(5)], rows
    assert [row["NPU Dtype"] for row in rows[1:]] == ["<class 'int'>", "<class 'str'>", "None", "slice"], rows
    assert [row["NPU Tensor Shape"] for row in rows[1:]] == ["[]", "[]", "None", "(3,)"], rows
    assert [row["Max diff"] for row in rows] == ["0", "1.0", "0", "0", "0"], rows
    assert rows[1]["MaxRelativeErr"] == "33.33333333333333%" and rows[1]["NPU max"] == "4", rows[1]
    assert json.loads(rows[1]["Err_message"]) == [
        "error: The scalar parameters of NPU and Bench are inconsistent."], rows[1]
    assert rows[2]["NPU max"] == "a" and rows[3]["NPU max"] == "None", rows


def check_msprobe_types(assay, folder, _samples):
    """Other types have no partner, floats of any width have; NaN and inf as the original words them."""
    write(folder + "/golden", [tensor(""), tensor("", dtype="torch.int32"), tensor("")], [])
    write(folder + "/my", [tensor("", dtype="torch.float16"), tensor(""),
                           tensor("", Max=float("inf"), Min=float("nan"))], [])
    half, other, broken = table(assay, folder)
    assert half["Bench Dtype"] == "torch.float32" and half["Result"] == "error", half
    assert (other["Bench Name"], other["Max diff"], other["Bench max"]) == ("N/A", "N/A", "N/A"), other
    assert (broken["NPU max"], broken["NPU min"]) == (" inf", "Nan"), broken
    assert (broken["Max diff"], broken["Min diff"], broken["Result"]) == ("inf", "Nan", "error"), broken


def check_msprobe_backward_count(assay, folder, _samples):
    """Backward passes are counted anew: recomputation leaves gaps in their numbers."""
    for side, number_ in (("golden", 0), ("my", 5)):
        os.makedirs(f"{folder}/{side}")
        data = {f"Torch.mul.{number_}.backward": {"input": [tensor("")], "output": []}}
        with open(f"{folder}/{side}/dump.json", "w") as file:
            json.dump({"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": None,
                       "data": data}, file)
    (row,) = table(assay, folder)
    assert (row["NPU Name"], row["Bench Name"]) == ("Torch.mul.5.backward.input.0", "Torch.mul.0.backward.input.0"), row


def check_msprobe_stacks(assay, folder, _samples):
    """Where a call was made stands in its first row, in front of the names of the files."""
    for side in ("golden", "my"):
        write(f"{folder}/{side}", [tensor("")], [tensor("")])
    with open(folder + "/my/stack.json", "w") as file:
        json.dump({"0": [[API], ["File x.py, line 3, in f, \n y = 'a'"]]}, file)
    first, second = table(assay, folder)
    assert list(first)[-1] == "NPU_Stack_Info" and second["NPU_Stack_Info"] == "N/A", second
    assert first["NPU_Stack_Info"] == str(["File x.py, line 3, in f, \n y = 'a'"]), first
