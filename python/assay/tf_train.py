"""One training step of a checkpoint, so that two devices can be compared: `assay train` runs it under a capture.

    python3 tf_train.py --checkpoints precision_data/tf/checkpoints --device cpu|npu

The newest .meta of the folder is restored, the rates of its dropouts become 0, and the operations of the collection
train_op run once. What a placeholder gets lies in input/NAME.npy (':' and '/' written as '_'); without that file it
gets random numbers, which are kept there for the other device.
"""
import argparse
import os
import random
import sys

if __package__ in (None, ""):  # run as a file: the job's own PYTHONPATH stays as it is
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SEED = 2022


class Problem(Exception):
    """What is wrong, and for the user to mend."""


def newest_meta(folder):
    metas = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".meta")] \
        if os.path.isdir(folder) else []
    if not metas:
        raise Problem("no checkpoint (.meta) in {}: copy one there".format(folder))
    return max(metas, key=os.path.getmtime)


def set_number(node, number):
    value = node.attr["value"].tensor
    value.ClearField("tensor_content")
    del value.float_val[:]
    value.float_val.append(number)


def without_dropout(meta):
    """How many rates were set to 0: a constant `rate`, or what newer versions make of it, a limit and a scale."""
    constants = {node.name: node for node in meta.graph_def.node if node.op == "Const"}
    count = 0
    for name, node in constants.items():
        scope, _, last = name.rpartition("/")
        folded = name.endswith("/GreaterEqual/y")
        if "dropout" not in name.lower() or not (last == "rate" or folded):
            continue
        set_number(node, 0.0)
        scale = constants.get(scope[:-len("GreaterEqual")] + "Const") if folded else None
        if scale is not None:
            set_number(scale, 1.0)
        count += 1
    return count


def feed_of(tensor, folder, generator):
    import numpy
    path = os.path.join(folder, "input", tensor.name.replace(":", "_").replace("/", "_") + ".npy")
    if os.path.exists(path):
        return numpy.load(path, allow_pickle=False)
    if tensor.shape.rank is None:
        raise Problem("the shape of '{}' is not known: save what it gets as {}".format(tensor.name, path))
    shape = [size or 1 for size in tensor.shape.as_list()]
    array = generator.random(shape).astype(tensor.dtype.as_numpy_dtype)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    numpy.save(path, array)
    print("note: {} gets random numbers of shape {}".format(tensor.name, shape), file=sys.stderr)
    return array


def session_config(device):
    if device == "cpu":
        return None
    try:
        import npu_bridge.npu_init  # noqa: F401  registers the NpuOptimizer
    except ImportError:
        raise Problem("the TensorFlow adapter for Ascend (npu_bridge) is not installed in this Python; "
                      "'-d npu' works on a host of the device only") from None
    from assay import tf_config
    return tf_config.session_dump_config()


def watched(session, device):
    """On the host tfdbg's session, which `assay capture tf` makes one that dumps by itself."""
    if device == "npu":
        return session
    from tensorflow.python.debug.wrappers import local_cli_wrapper
    return local_cli_wrapper.LocalCLIDebugWrapperSession(session, ui_type="readline")


def train(folder, device):
    path = newest_meta(folder)
    config = session_config(device)
    try:
        import numpy
        import tensorflow as tf
    except ImportError:
        raise Problem("TensorFlow is not installed in this Python; ASSAY_PYTHON names another one") from None
    meta = tf.compat.v1.MetaGraphDef()
    with open(path, "rb") as file:
        meta.ParseFromString(file.read())
    rates = without_dropout(meta)
    random.seed(SEED)
    with tf.Graph().as_default() as graph:
        tf.compat.v1.set_random_seed(SEED)
        saver = tf.compat.v1.train.import_meta_graph(meta)
        operations = tf.compat.v1.get_collection(tf.compat.v1.GraphKeys.TRAIN_OP)
        if not operations:
            raise Problem("{} has no operation in the collection train_op".format(path))
        generator = numpy.random.default_rng(SEED)
        feeds = {op.outputs[0]: feed_of(op.outputs[0], folder, generator)
                 for op in graph.get_operations() if op.type == "Placeholder"}
        with tf.compat.v1.Session(config=config) as session:
            saver.restore(session, path[:-len(".meta")])
            watched(session, device).run(operations, feed_dict=feeds)
    print("one step of {} on {}; dropout rates set to 0: {}".format(path, device, rates), file=sys.stderr)


def main(words=None):
    parser = argparse.ArgumentParser(prog="assay train", description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoints", required=True)
    parser.add_argument("--device", choices=("cpu", "npu"), required=True)
    options = parser.parse_args(words)
    try:
        train(options.checkpoints, options.device)
    except (Problem, OSError) as problem:
        print("assay train: {}".format(problem), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
