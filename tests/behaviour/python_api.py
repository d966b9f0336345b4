"""python/assay: tensors of every format as arrays, and back."""
import json
import os
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import assay as api  # noqa: E402
import onnx_files  # noqa: E402


EXECUTOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/numpy_executor.py")


def use(program):
    os.environ["ASSAY_PROGRAM"] = str(program.path)


def check_load_every_sample(assay, folder, samples):
    use(assay)
    read = 0
    for name in sorted(os.listdir(samples)):
        path = os.path.join(samples, name)
        listed = [tensor for tensor in _shown(assay, path) if tensor["dtype"] != "opaque"]
        try:
            arrays = api.load(path)
        except api.AssayError as error:
            assert error.what and error.where, name
            continue
        for tensor in listed:
            if "min" not in tensor:  # could not be read
                continue
            array = arrays[tensor["tensor"] or tensor["name"]]
            assert list(array.shape) == tensor["shape"], (name, tensor)
            if array.dtype.kind in "fiu" and tensor["max"] is not None:
                assert float(array[numpy.isfinite(array)].max()) == float(tensor["max"]), (name, tensor)
            read += 1
    assert read > 100, read


def _shown(assay, path):
    text = assay.run("show", path, "--json").stdout
    return json.loads(text)["tensors"] if text else []


def check_folder(assay, folder, samples):
    use(assay)
    numpy.savez(os.path.join(folder, "two.npz"), a=numpy.arange(3), b=numpy.ones(2))
    os.mkdir(os.path.join(folder, "sub"))
    numpy.save(os.path.join(folder, "sub/x.npy"), numpy.float32(2.5))
    arrays = api.load(folder)
    assert sorted(arrays) == ["sub/x", "two/a", "two/b"], arrays.keys()
    assert arrays["two/a"].tolist() == [0, 1, 2]


def check_save(assay, folder, samples):
    use(assay)
    values = {"a": numpy.arange(6, dtype="float16").reshape(2, 3), "b/c:0": numpy.array([True, False]),
              "z": numpy.array([1 + 2j]), "big": numpy.arange(3, dtype=">i4")}
    for kind in ("npz", "safetensors"):
        some = {name: array for name, array in values.items() if kind == "npz" or name != "z"}
        api.save(os.path.join(folder, "all." + kind), some)
        back = api.load(os.path.join(folder, "all." + kind))
        assert back.keys() == some.keys()
        for name, array in some.items():
            assert back[name].dtype == array.dtype.newbyteorder("="), name
            assert numpy.array_equal(back[name], array), name
    api.save(os.path.join(folder, "one.npy"), values["a"])
    assert numpy.array_equal(numpy.load(os.path.join(folder, "one.npy")), values["a"])
    assert numpy.array_equal(numpy.asarray(api.load(os.path.join(folder, "one.npy"))), values["a"])
    api.save(os.path.join(folder, "raw.bin"), values["a"])
    raw = api.load(os.path.join(folder, "raw.bin"), "--dtype", "f16", "--shape", "2,3")
    assert numpy.array_equal(raw.only(), values["a"])
    assert sorted(os.listdir(folder)) == ["all.npz", "all.safetensors", "one.npy", "raw.bin"]


def two_inputs(folder):
    """A model of two inputs, and a weight in a file beside it."""
    values = [onnx_files.value(name, onnx_files.FLOAT, [2]) for name in "xyz"]
    nodes = [onnx_files.node("Sub", ["x", "y"], ["d"]), onnx_files.node("Add", ["d", "w"], ["z"])]
    with open(os.path.join(folder, "w.bin"), "wb") as file:
        file.write(numpy.float32([1, 2]).tobytes())
    path = os.path.join(folder, "m.onnx")
    with open(path, "wb") as file:
        file.write(onnx_files.model(nodes, values[:2], values[2:], [onnx_files.external("w", [2], "w.bin")]))
    return path


def check_inputs_are_kept_apart(assay, folder, samples):
    """One that is set again does not get the next one's values."""
    use(assay)
    model = api.Model(two_inputs(folder), "onnx_reference")
    x, y = numpy.float32([3, 4]), numpy.float32([5, 6])
    for name, array in (("x", y), ("x", x), ("y", y)):
        model.set_input(name, array)
    try:
        model.dump_full(os.path.join(folder, "out"))
    except api.AssayError:
        pass  # whether or not the evaluator is here, the inputs are written
    for name, array in (("x", x), ("y", y)):
        assert numpy.array_equal(numpy.load(os.path.join(folder, "out/inputs", name + ".npy")), array), name


def check_taps_are_what_can_be_dumped(assay, folder, samples):
    """No output that a node leaves out, and of the model's outputs none that is an input."""
    use(assay)
    f = onnx_files
    x, y = f.value("x", f.FLOAT, [2]), f.value("y", f.FLOAT, [2])
    nodes = [f.node("Add", ["x", "x"], ["y"]), f.node("LayerNormalization", ["x", "y"], ["n", "", "d"])]
    path = os.path.join(folder, "m.onnx")
    with open(path, "wb") as file:
        file.write(f.model(nodes, [x], [x, y], opset=17))
    model = api.Model(path, EXECUTOR)
    assert model.taps() == ["y", "n", "d"], model.taps()
    model.extract(outputs=["x", "y"])
    model.set_input("x", numpy.float32([1, 2]))
    dump = model.dump_once(folder + "/once")
    assert {name: array.tolist() for name, array in dump.items()} == {"y": [2, 4]}
    assert "y" in dump and "x" not in dump and dump.get("x") is None


def check_save_a_model(assay, folder, samples):
    use(assay)
    path = two_inputs(folder)
    with open(path, "rb") as file:
        before = file.read()
    model = api.Model(path)
    try:
        model.save(path)
        raise AssertionError("nothing was raised")
    except api.AssayError as error:
        assert error.what == "this would overwrite the model itself", str(error)
    os.mkdir(os.path.join(folder, "other"))
    model.save(os.path.join(folder, "other/m.onnx"))
    for place in (path, os.path.join(folder, "other/m.onnx")):
        with open(place, "rb") as file:
            assert file.read() == before, place
    assert os.path.getsize(os.path.join(folder, "other/w.bin")) == 8


def check_errors(assay, folder, samples):
    use(assay)
    try:
        api.load(os.path.join(folder, "none.npy"))
        raise AssertionError("nothing was raised")
    except api.AssayError as error:
        assert error.what == "no such file or folder" and error.where.endswith("none.npy"), str(error)
        assert error.code == 2
    try:
        api.save(os.path.join(folder, "a.npy"), {"a": numpy.ones(1), "b": numpy.ones(1)})
        raise AssertionError("nothing was raised")
    except ValueError as error:
        assert "npy holds one tensor per file, not 2" in str(error), error
