"""Polygraphy's saved inputs and outputs of a model that ONNX Runtime ran."""
import numpy
import onnx
from onnx import TensorProto, helper
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.comparator import Comparator, IterationResult, RunResults
from polygraphy.json import save_json
from polygraphy.logger import G_LOGGER
from values import expect_equal_to_itself, members

G_LOGGER.module_severity = G_LOGGER.ERROR

TYPES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16",
         "uint32", "uint64", "bool")


def model():
    """Gemm, Relu, Add, then outputs of other types."""
    weights = numpy.random.default_rng(5).standard_normal((4, 8), dtype=numpy.float32)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["product"]),
             helper.make_node("Relu", ["product"], ["relu"]),
             helper.make_node("Add", ["relu", "product"], ["sum"]),
             helper.make_node("Cast", ["sum"], ["half"], to=TensorProto.FLOAT16),
             helper.make_node("ArgMax", ["sum"], ["best"], axis=1, keepdims=0),
             helper.make_node("Greater", ["relu", "sum"], ["greater"])]
    types = {"product": TensorProto.FLOAT, "relu": TensorProto.FLOAT, "sum": TensorProto.FLOAT,
             "half": TensorProto.FLOAT16, "best": TensorProto.INT64, "greater": TensorProto.BOOL}
    graph = helper.make_graph(
        nodes, "small", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3, 4])],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in types.items()],
        [onnx.numpy_helper.from_array(weights, "w")])
    opset = helper.make_opsetid("", 17)
    return helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()


def ran(iterations, runners=1):
    generator = numpy.random.default_rng(9)
    feeds = [{"x": generator.standard_normal((3, 4), dtype=numpy.float32)}
             for _ in range(iterations)]
    made = [OnnxrtRunner(SessionFromOnnx(model()), name=f"ort{i}") for i in range(runners)]
    return feeds, Comparator.run(made, data_loader=feeds)


def expect_file(assay, folder, path, arrays):
    """Every array bit for bit, and the file passes against itself."""
    found = members(assay, path, folder)
    assert found.keys() == arrays.keys(), (found.keys(), arrays.keys())
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype and found[name].shape == array.shape, name
        assert found[name].tobytes() == numpy.ascontiguousarray(array).tobytes(), name
    report = expect_equal_to_itself(assay, path)
    assert report["counts"]["skipped"] == 0, report["counts"]


def check_outputs(assay, folder):
    _, results = ran(1)
    path = folder / "outputs.json"
    results.save(str(path))
    (_, (iteration,)), = results.items()
    expect_file(assay, folder / "out", path, dict(iteration))


def check_iterations_and_runners(assay, folder):
    feeds, results = ran(2, runners=2)
    results.save(str(folder / "outputs.json"))
    arrays = {f"{runner}/{name}/{i}": array for runner, iterations in results.items()
              for i, iteration in enumerate(iterations) for name, array in iteration.items()}
    assert len(arrays) == 24, arrays.keys()
    expect_file(assay, folder / "out", folder / "outputs.json", arrays)
    save_json(feeds, str(folder / "inputs.json"))
    expect_file(assay, folder / "out", folder / "inputs.json",
               {f"x/{i}": feed["x"] for i, feed in enumerate(feeds)})


def check_types(assay, folder):
    """Built by hand: types and shapes that no small model gives."""
    generator = numpy.random.default_rng(13)
    arrays = {name: generator.integers(0, 2, (2, 3)).astype(name) for name in TYPES}
    arrays |= {"scalar": numpy.array(2.5, "float32"), "empty": numpy.zeros((0, 3), "float32"),
               "turned": numpy.asfortranarray(arrays["float64"]),
               "special": numpy.array([numpy.nan, numpy.inf, -0.0], "float32")}
    results = RunResults()
    results.add([IterationResult(outputs=arrays)], runner_name="made")
    path = folder / "made.json"
    results.save(str(path))
    expect_file(assay, folder / "out", path, arrays)
