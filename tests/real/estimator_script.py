"""A training with an Estimator and tfdbg's hook, as its author wrote it; Assay must not need it changed."""
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import debug as tf_debug

tf.disable_eager_execution()


def model(features, labels, mode):
    weights = tf.get_variable("net/w", initializer=np.arange(6, dtype=np.float32).reshape(3, 2) / 7)
    y = tf.nn.relu(tf.matmul(features["x"], weights, name="mm"), name="relu")
    loss = tf.reduce_mean(tf.square(y - labels), name="loss")
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step, training_hooks=[tf_debug.LocalCLIDebugHook()])


def inputs():
    x = np.linspace(-1, 2, 6, dtype=np.float32).reshape(2, 3)
    return tf.data.Dataset.from_tensors(({"x": x}, np.ones((2, 2), np.float32))).repeat()


def main():
    options = tf.ConfigProto()
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    # Of equal constants, one would stay: another one each time.
    options.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    tf.estimator.Estimator(model, config=tf.estimator.RunConfig(session_config=options)).train(inputs, steps=3)
    print("trained 3 steps")


if __name__ == "__main__":
    main()
