"""A small SavedModel, its input, and what session.run gives for each node of its frozen graph.

    tensorflow_model.py FOLDER
"""
import pathlib
import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = tf.Variable(np.arange(1024, dtype=np.float32).reshape(128, 8) / 1000)

    @tf.function(input_signature=[tf.TensorSpec([1, 128], tf.float32, name="input")])
    def serve(self, input):
        low, high = tf.split(tf.matmul(input, self.weights), 2, axis=1)
        return {"y": tf.nn.softmax(low * high)}


def main(folder):
    folder = pathlib.Path(folder)
    model = Model()
    tf.saved_model.save(model, str(folder / "model"), signatures={"serving_default": model.serve})
    data = np.random.default_rng(1).random((1, 128), dtype=np.float32)
    data.tofile(folder / "in.bin")
    loaded = tf.saved_model.load(str(folder / "model"))
    frozen = convert_variables_to_constants_v2(loaded.signatures["serving_default"])
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(frozen.graph.as_graph_def(), name="")
        tensors = [tensor for operation in graph.get_operations() for tensor in operation.outputs]
        options = tf.compat.v1.ConfigProto()
        options.graph_options.rewrite_options.disable_meta_optimizer = True
        with tf.compat.v1.Session(graph=graph, config=options) as session:
            values = session.run(tensors, {"input:0": data})
    np.savez(folder / "values.npz", **{tensor.name: value for tensor, value in zip(tensors, values)})


if __name__ == "__main__":
    main(sys.argv[1])
