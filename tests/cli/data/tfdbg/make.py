#!/usr/bin/env python3
"""Writes dump/, a run of a small network dumped by TensorFlow's debugger, and session_run.npz: the same
tensors as session.run gave them.

Run with tensorflow-cpu 2.21: tests/cli/data/tfdbg/make.py
"""
import pathlib
import shutil

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import debug as tf_debug

HERE = pathlib.Path(__file__).resolve().parent
tf.disable_eager_execution()


def network():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    with tf.name_scope("net"):
        weights = tf.constant(np.arange(12, dtype=np.float32).reshape(3, 4) / 7, name="w")
        low, high = tf.split(tf.matmul(x, weights, name="mm"), 2, axis=1, name="split")
        y = tf.nn.relu(high - low, name="relu")
        tf.cast(y, tf.bfloat16, name="bf16")
        tf.strings.as_string(y, name="text")
    return x


def main():
    shutil.rmtree(HERE / "dump", ignore_errors=True)
    x = network()
    names = ["net/mm:0", "net/split:0", "net/split:1", "net/relu:0", "net/bf16:0"]
    feed = {x: np.linspace(-1, 2, 6, dtype=np.float32).reshape(2, 3)}
    options = tf.ConfigProto()
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Session(config=options) as session:
        values = session.run(names, feed)
        watched = tf_debug.DumpingDebugWrapperSession(session, str(HERE / "dump"))
        watched.run([*names, "net/text:0"], feed)
    np.savez(HERE / "session_run.npz", **{name: value.astype(np.float32) for name, value in zip(names, values)})


if __name__ == "__main__":
    main()
