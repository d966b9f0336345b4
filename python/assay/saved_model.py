"""A SavedModel with its variables as constants: a frozen GraphDef.

    python3 -m assay.saved_model MODEL -o frozen_graph.pb
"""
import argparse
import sys


def freeze(folder, signature="serving_default", tags=None):
    """(GraphDef, {input: tensor name}, [output tensor names]) of a signature."""
    import tensorflow as tf
    if tf.__version__.startswith("1."):
        return freeze_by_session(folder, signature, tags)
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2
    loaded = tf.saved_model.load(folder, tags=tags)  # its variables live as long as this name
    served = chosen(loaded.signatures, signature, folder)
    function = convert_variables_to_constants_v2(served)
    names = sorted(served.structured_input_signature[1])
    inputs = {name: tensor.name for name, tensor in zip(names, sorted_inputs(function, names))}
    return function.graph.as_graph_def(), inputs, [tensor.name for tensor in function.outputs]


def chosen(signatures, name, folder):
    if name not in signatures:
        raise OSError("no signature '{}' in {}; it has {}".format(name, folder, ", ".join(sorted(signatures)) or "none"))
    return signatures[name]


def freeze_by_session(folder, signature, tags):
    """The same with TensorFlow 1, whose variables live in a session."""
    import tensorflow as tf
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        meta = tf.compat.v1.saved_model.loader.load(session, tags or ["serve"], folder)
        served = chosen(meta.signature_def, signature, folder)
        inputs = {name: info.name for name, info in sorted(served.inputs.items())}
        outputs = [info.name for _, info in sorted(served.outputs.items())]
        graph = tf.compat.v1.graph_util.convert_variables_to_constants(
            session, meta.graph_def, [name.rpartition(":")[0] for name in outputs])
    return graph, inputs, outputs


def sorted_inputs(function, names):
    """The placeholder of each name; signatures call them by the name, flattened in sorted order."""
    placeholders = {tensor.op.name: tensor for tensor in function.inputs}
    if all(name in placeholders for name in names):
        return [placeholders[name] for name in names]
    return list(function.inputs)


def main(words=None):
    parser = argparse.ArgumentParser(prog="assay.saved_model", description=__doc__.splitlines()[0])
    parser.add_argument("model", help="folder of the SavedModel")
    parser.add_argument("-o", "--out", default="frozen_graph.pb")
    parser.add_argument("--signature", default="serving_default")
    parser.add_argument("--tags", default="serve")
    options = parser.parse_args(words)
    graph, inputs, outputs = freeze(options.model, options.signature, options.tags.split(","))
    with open(options.out, "wb") as file:
        file.write(graph.SerializeToString())
    for name, tensor in inputs.items():
        print("input {}: {}".format(name, tensor))
    for tensor in outputs:
        print("output {}".format(tensor))
    return 0


if __name__ == "__main__":
    sys.exit(main())
