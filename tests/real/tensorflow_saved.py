"""A SavedModel as TensorFlow 1 writes it, its input, and what session.run gives for its tensors.

    tensorflow_saved.py FOLDER
"""
import os
import sys

import numpy as np
import tensorflow.compat.v1 as tf


def main(folder):
    tf.disable_v2_behavior()
    x = tf.placeholder(tf.float32, [None, 128], name="input")
    weights = tf.get_variable("w", initializer=np.arange(1024, dtype=np.float32).reshape(128, 8) * np.float32(1e-5))
    low, high = tf.split(tf.matmul(x, weights, name="mm"), 2, axis=1, name="split")
    product = tf.multiply(low, high, name="product")
    y = tf.nn.softmax(product, name="y")
    data = np.random.RandomState(1).rand(1, 128).astype(np.float32)
    data.tofile(os.path.join(folder, "in.bin"))
    options = tf.ConfigProto()
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Session(config=options) as session:
        session.run(tf.global_variables_initializer())
        values = session.run({tensor.name: tensor for tensor in (x, low, high, product, y)}, {x: data})
        tf.saved_model.simple_save(session, os.path.join(folder, "model"), {"input": x}, {"y": y})
    np.savez(os.path.join(folder, "values.npz"), **values)


if __name__ == "__main__":
    main(sys.argv[1])
