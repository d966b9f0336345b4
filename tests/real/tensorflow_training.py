"""A checkpoint of a small network with a dropout, as scripts for TensorFlow 1 leave it.

    tensorflow_training.py FOLDER
"""
import pathlib
import sys

import numpy as np
import tensorflow.compat.v1 as tf


def main(folder):
    folder = pathlib.Path(folder)
    tf.disable_v2_behavior()
    x = tf.placeholder(tf.float32, [2, 3], name="net/x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    weights = tf.get_variable("weights", initializer=np.full((3, 1), 0.5, np.float32))
    hidden = tf.nn.dropout(x, rate=0.5, name="dropout")
    loss = tf.reduce_mean(tf.square(tf.matmul(hidden, weights, name="product") - y), name="loss")
    tf.add_to_collection(tf.GraphKeys.TRAIN_OP, tf.train.GradientDescentOptimizer(0.1).minimize(loss))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(folder / "model.ckpt"))
    (folder / "input").mkdir()
    np.save(folder / "input/net_x_0.npy", np.arange(6, dtype=np.float32).reshape(2, 3))


if __name__ == "__main__":
    main(sys.argv[1])
