"""Runs a frozen graph or a SavedModel and saves every output of every node.

    python3 -m assay.tf_capture MODEL -o DIR --input in.bin --input-shape "input:1,128"

MODEL is a frozen GraphDef (.pb) or the folder of a SavedModel. Outputs are fetched a few at a time, so memory stays
bounded; the graph runs again for each group. Files are called NODE.INDEX.MICROSECONDS.npy.
"""
import argparse
import os
import sys

import numpy

from assay.array_folder import ArrayFolder

GROUP_BYTES = 256 << 20  # of one group, as far as shapes tell
GROUP_TENSORS = 256
SEED = 2022


class Problem(Exception):
    """What is wrong, and for the user to mend."""


def load(model, signature="serving_default", tags=None):
    """(GraphDef, {input: tensor name}, [output tensor names]); of a GraphDef the names are its placeholders."""
    if os.path.isdir(model):
        from assay import saved_model
        return saved_model.freeze(model, signature, tags)
    from tensorflow.core.framework import graph_pb2
    graph = graph_pb2.GraphDef()
    with open(model, "rb") as file:
        try:
            graph.ParseFromString(file.read())
        except Exception as error:
            raise Problem("{} is no frozen GraphDef: {}".format(model, error)) from None
    inputs = {node.name: node.name + ":0" for node in graph.node if node.op == "Placeholder"}
    return graph, inputs, []


def parse_shapes(text):
    """{"input": [1, 128]} of "input:1,128;other:2"."""
    shapes = {}
    for part in filter(None, (text or "").split(";")):
        name, colon, dims = part.rpartition(":")
        if not colon or not all(dim.strip().isdigit() for dim in dims.split(",")):
            raise Problem("--input-shape '{}' is not like name:1,128".format(part))
        shapes[name.strip()] = [int(dim) for dim in dims.split(",")]
    return shapes


def read_array(path, dtype, shape):
    """A .npy file, or raw values of the type."""
    if path.endswith(".npy"):
        array = numpy.load(path, allow_pickle=False)
        if array.dtype != dtype:
            raise Problem("{} holds {}, the input is {}".format(path, array.dtype, dtype))
    else:
        array = numpy.fromfile(path, dtype)
    wanted = int(numpy.prod(shape))
    if array.size != wanted:
        raise Problem("{} has {} values of {}, the shape {} needs {}".format(path, array.size, dtype, shape, wanted))
    return array.reshape(shape)


def random_array(dtype, shape, generator):
    if numpy.issubdtype(dtype, numpy.floating):
        return generator.random(shape).astype(dtype)
    return generator.integers(0, 2, shape).astype(dtype)


def full_shape(tensor, given):
    shape = given if given is not None else tensor.shape.as_list() if tensor.shape.rank is not None else None
    if shape is None or None in shape:
        raise Problem("the shape of input '{}' is not known: give --input-shape \"{}:...\"".format(
            tensor.op.name, tensor.op.name))
    return shape


def bind_inputs(graph, inputs, files, shapes, folder):
    """{tensor: array}. Files belong to the inputs in order; without files the values are random, and saved."""
    unknown = set(shapes) - set(inputs)
    if unknown:
        raise Problem("no input '{}'; there are {}".format(sorted(unknown)[0], ", ".join(sorted(inputs))))
    if files and len(files) != len(inputs):
        raise Problem("{} input files for {} inputs ({})".format(len(files), len(inputs), ", ".join(sorted(inputs))))
    # As the user wrote them in --input-shape, else as the model has them.
    names = list(shapes) + [name for name in inputs if name not in shapes]
    generator = numpy.random.default_rng(SEED)
    feeds = {}
    for place, name in enumerate(names):
        tensor = graph.get_tensor_by_name(inputs[name])
        dtype, shape = numpy.dtype(tensor.dtype.as_numpy_dtype), full_shape(tensor, shapes.get(name))
        if files:
            feeds[tensor] = read_array(files[place], dtype, shape)
        else:
            feeds[tensor] = random_array(dtype, shape, generator)
        keep_input(folder, name, feeds[tensor])
    return feeds


def keep_input(folder, name, array):
    """What was fed, for the other side's run."""
    os.makedirs(os.path.join(folder, "input"), exist_ok=True)
    array.tofile(os.path.join(folder, "input", "{}_{}.bin".format(name.replace("/", "_"), array.dtype)))


def fetchable(graph, notes):
    """Every output with numbers that a session can give."""
    import tensorflow as tf
    for operation in graph.get_operations():
        for tensor in operation.outputs:
            if tensor.dtype.base_dtype in (tf.string, tf.resource, tf.variant):
                notes.append("{} holds no numbers, left out".format(tensor.name))
            elif not graph.is_fetchable(tensor):
                notes.append("{} is inside a loop or a branch: only tfdbg sees it (assay capture tf)".format(
                    tensor.name))
            else:
                yield tensor


def size_of(tensor):
    count = tensor.shape.num_elements() if tensor.shape.rank is not None else None
    return (count or 1) * tensor.dtype.size


def groups(tensors):
    """Lists that fit into memory together."""
    group, size = [], 0
    for tensor in tensors:
        if group and (size + size_of(tensor) > GROUP_BYTES or len(group) == GROUP_TENSORS):
            yield group
            group, size = [], 0
        group.append(tensor)
        size += size_of(tensor)
    if group:
        yield group


def fetch(session, tensors, feeds, notes):
    """(tensor, value) of each that has one. A tensor on a branch that was not taken spoils its group: then halves."""
    import tensorflow as tf
    try:
        yield from zip(tensors, session.run(tensors, feeds))
    except tf.errors.OpError as error:
        if len(tensors) == 1:
            notes.append("{}: {}".format(tensors[0].name, str(error).splitlines()[0]))
            return
        half = len(tensors) // 2
        yield from fetch(session, tensors[:half], feeds, notes)
        yield from fetch(session, tensors[half:], feeds, notes)


def storable(array):
    """NumPy has no bfloat16: as float32, which changes no value."""
    array = numpy.asarray(array)
    return array if array.dtype.kind in "biufc" else array.astype(numpy.float32)


def check_empty(folder):
    if os.path.isdir(folder) and any(name.endswith(".npy") for name in os.listdir(folder)):
        raise Problem("{} holds arrays already: two runs in one folder cannot be told apart".format(folder))


def capture(model, folder, files=(), shapes=None, signature="serving_default", tags=None):
    """Saves everything; (number of arrays, notes)."""
    import tensorflow as tf
    check_empty(folder)
    graph_def, inputs, _ = load(model, signature, tags)
    notes, written = [], 0
    out = ArrayFolder(folder)
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(graph_def, name="")
        feeds = bind_inputs(graph, inputs, list(files), shapes or {}, folder)
        options = tf.compat.v1.ConfigProto()
        # The graph as written: an optimised one has other operators.
        options.graph_options.rewrite_options.disable_meta_optimizer = True
        with tf.compat.v1.Session(graph=graph, config=options) as session:
            for group in groups(fetchable(graph, notes)):
                for tensor, value in fetch(session, group, feeds, notes):
                    out.save(tensor.name, storable(value))
                    written += 1
    return written, notes


def run_on_npu(model, folder, files=(), shapes=None, signature="serving_default", tags=None):
    """One inference on the device with the adapter's dump settings; the device writes below `folder`."""
    try:
        import npu_bridge.npu_init  # noqa: F401  registers the NpuOptimizer
    except ImportError:
        raise Problem("the TensorFlow adapter for Ascend (npu_bridge) is not installed in this Python; "
                      "'-dp npu' works on a host of the device only") from None
    import tensorflow as tf
    from assay import tf_config
    os.environ.setdefault("ASSAY_DUMP_PATH", folder)
    graph_def, inputs, outputs = load(model, signature, tags)
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(graph_def, name="")
        feeds = bind_inputs(graph, inputs, list(files), shapes or {}, folder)
        config = tf_config.session_dump_config(action="dump")
        with tf.compat.v1.Session(graph=graph, config=config) as session:
            session.run(outputs, feeds)
    return 0, []


def parse_options(words):
    parser = argparse.ArgumentParser(prog="assay.tf_capture", description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("-o", "--out", required=True, help="folder for the arrays")
    parser.add_argument("--input", default="", help="files (.npy or raw), with commas, in the order of the inputs")
    parser.add_argument("--input-shape", default="", help='"name:1,128;name2:4"')
    parser.add_argument("--signature", default="serving_default")
    parser.add_argument("--tags", default="serve")
    parser.add_argument("--device", choices=("cpu", "npu"), default="cpu")
    return parser.parse_args(words)


def main(words=None):
    options = parse_options(words)
    run = capture if options.device == "cpu" else run_on_npu
    try:
        written, notes = run(options.model, options.out, [file for file in options.input.split(",") if file],
                             parse_shapes(options.input_shape), options.signature, options.tags.split(","))
    except (Problem, OSError) as problem:
        print("assay.tf_capture: {}".format(problem), file=sys.stderr)
        return 2
    for note in notes:
        print("note: {}".format(note), file=sys.stderr)
    print("{} arrays in {}".format(written, options.out), file=sys.stderr)
    return 0 if written or options.device == "npu" else 2


if __name__ == "__main__":
    sys.exit(main())
