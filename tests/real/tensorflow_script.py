"""A training script as its author wrote it for tfdbg's prompt; Assay must not need it changed.

    tensorflow_script.py session|hook|long VALUES.npz

VALUES.npz gets what session.run gives for every tensor that can be fetched, of the same step.
"""
import sys

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import debug as tf_debug

tf.disable_eager_execution()
LONG = "x" * 150 + "/" + "y" * 150  # too long for a file of the golden
TOO_LONG = "z" * 230  # for tfdbg itself


def network(kind):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    with tf.name_scope("net"):
        weights = tf.get_variable("w", initializer=np.arange(12, dtype=np.float32).reshape(3, 4) / 7)
        low, high = tf.split(tf.matmul(x, weights, name="mm"), 2, axis=1, name="split")
        y = tf.nn.relu(high - low, name="relu")
        half = tf.cast(y, tf.float16, name="half")
        text = tf.strings.as_string(y, name="text")
        named = tf.identity(y * 2.0, name=LONG)
        if kind == "long":
            y = tf.identity(y, name=TOO_LONG)
        best = tf.argmax(y, axis=1, name="best")
        positive = tf.greater(y, 0.1, name="positive")
        both = tf.complex(y, y, name="complex")
    loop = tf.while_loop(lambda i, total: i < 3, lambda i, total: (i + 1, total + tf.reduce_sum(y)),
                         [tf.constant(0), tf.constant(0.0)], name="loop")
    return x, [y, half, text, named, best, positive, both, loop[1]]


def numeric(graph):
    """Every tensor that session.run can give; not inside the loop, where old versions promise what they cannot."""
    for operation in graph.get_operations():
        if operation.name.startswith("loop/"):
            continue
        for tensor in operation.outputs:
            if tensor.dtype.base_dtype not in (tf.string, tf.resource, tf.variant) and graph.is_fetchable(tensor):
                yield tensor


def main(kind, path):
    x, fetches = network(kind)
    feed = {x: np.linspace(-1, 2, 6, dtype=np.float32).reshape(2, 3)}
    options = tf.ConfigProto()
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    # Of equal constants, one would stay: another one each time.
    options.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    if kind == "hook":
        with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(config=options),
                                       hooks=[tf_debug.LocalCLIDebugHook()]) as session:
            session.run(fetches, feed)
        return
    with tf.Session(config=options) as session:
        session.run(tf.global_variables_initializer())
        tensors = list(numeric(tf.get_default_graph()))
        values = session.run(tensors, feed)
        np.savez(path, **{tensor.name: value for tensor, value in zip(tensors, values)})
        watched = tf_debug.LocalCLIDebugWrapperSession(session, ui_type="readline")
        watched.run(fetches, feed)


if __name__ == "__main__":
    main(*sys.argv[1:])
