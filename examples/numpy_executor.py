#!/usr/bin/env python3
"""An executor of our own, on NumPy alone: as much of ONNX as a small perceptron needs.

    assay dump examples/numpy_executor.py:examples/models/perceptron.onnx --dim batch=1 -o out

The upper half is the executor, the lower half reads the model: an ONNX file is a protobuf message.
"""
import numpy

from assay.executors import BaseExecutor, serve

OPERATORS = {
    "Add": numpy.add,
    "MatMul": numpy.matmul,
    "Mul": numpy.multiply,
    "Relu": lambda x: numpy.maximum(x, 0),
    "Sigmoid": lambda x: 1 / (1 + numpy.exp(-x)),
    "Softmax": lambda x: numpy.exp(x) / numpy.exp(x).sum(-1, keepdims=True),
}


class NumpyExecutor(BaseExecutor):
    module = "numpy"

    def load_model(self, model, config):
        self.nodes, self.weights = read_model(model)

    def execute(self, names, inputs, config):
        values = {**self.weights, **inputs}
        for kind, arguments, result in self.nodes:
            if kind not in OPERATORS:
                raise NotImplementedError(f"no operator {kind}")
            values[result] = OPERATORS[kind](*(values[name] for name in arguments))
        return {name: values[name] for name in names}


def fields(data):
    """(number, value) of a protobuf message; a value is an int or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = {1: 8, 5: 4}.get(key & 7) or varint()
            yield key >> 3, data[at:at + size]
            at += size


def read_model(path):
    """Its nodes (operator, inputs, output) and its weights by name."""
    with open(path, "rb") as file:
        graph = dict(fields(file.read()))[7]
    nodes, weights = [], {}
    for number, value in fields(graph):
        entry = list(fields(value)) if number in (1, 5) else []
        if number == 1:
            texts = {kind: [text.decode() for key, text in entry if key == kind] for kind in (1, 2, 4)}
            nodes.append((texts[4][0], texts[1], texts[2][0]))
        elif number == 5:
            shape = [size for key, size in entry if key == 1]
            weights[dict(entry)[8].decode()] = numpy.frombuffer(dict(entry)[9], "<f4").reshape(shape)
    return nodes, weights


if __name__ == "__main__":
    serve(NumpyExecutor)
