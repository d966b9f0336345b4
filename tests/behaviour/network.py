"""A network of 200 operators, run twice: in float32, and as a device would in float16.

Every operator's inputs and outputs are dumped on both sides, as arrays converted from
device dumps are called: TYPE.OP.TASK.STREAM.TIME.PORT.INDEX.npy. A fault changes what one
operator of the device hands on; everything after it is computed from that.
"""
import os

import numpy as np

SHAPE = (4, 32, 64)  # batch, channels, positions


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


OPS = {
    "MatMul": lambda x, w: x @ w,
    "Conv2D": lambda x, w: np.einsum("oc,ncp->nop", w[0], x)
    + np.einsum("oc,ncp->nop", w[1], np.roll(x, 1, -1)),
    "Relu": lambda x: np.maximum(x, 0),
    "Add": lambda x, y: x + y,
    "Mul": lambda x, y: x * y,
    "Softmax": softmax,
    "Exp": np.exp,
    "RealDiv": lambda x, y: x / y,
    "BatchNorm": lambda x, m, s: (x - m) / s,
    "Split": lambda x: np.split(x, 2, axis=1),
    "ConcatV2": lambda x, y: np.concatenate([x, y], axis=1),
}


class Node:
    def __init__(self, name, kind, inputs, outputs=1):
        self.name, self.kind, self.inputs, self.outputs = name, kind, inputs, outputs


class Network:
    """Blocks with skip connections, normalised as trained ones are; `tensors` holds the inputs
    and weights, `values` what a float32 run gives."""

    def __init__(self, seed, operators=200):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.tensors, self.weights = [], {}, 0
        self.tensors["x"] = self.rng.standard_normal(SHAPE).astype("f4")
        self.values = dict(self.tensors)
        at = skip = "x"
        makers = [self.matmul, self.conv, self.attention, self.gate, self.halves]
        while len(self.nodes) < operators - 12:
            at = makers[self.rng.integers(len(makers))](at)
            at = self.add("Add", [at, skip])
            at = skip = self.norm(at)
        while len(self.nodes) < operators:
            at = self.add("Relu" if len(self.nodes) % 2 else "Add",
                          [at] if len(self.nodes) % 2 else [at, "x"])

    def weight(self, values):
        name = f"w{self.weights}"
        self.weights += 1
        self.tensors[name] = self.values[name] = np.asarray(values, "f4")
        return name

    def add(self, kind, inputs, outputs=1):
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(Node(name, kind, inputs, outputs))
        self.values.update(compute(self.nodes[-1], self.values, "f4"))
        return f"{name}:0" if outputs == 1 else [f"{name}:{i}" for i in range(outputs)]

    def norm(self, at):
        x = self.values[at]
        return self.add("BatchNorm", [at, self.weight(x.mean((0, 2), keepdims=True)),
                                      self.weight(x.std((0, 2), keepdims=True) + 0.1)])

    def matmul(self, at):
        n = SHAPE[2]
        at = self.add("MatMul", [at, self.weight(self.rng.standard_normal((n, n)) / n ** 0.5)])
        return self.add("Relu", [at])

    def conv(self, at):
        c = SHAPE[1]
        w = self.rng.standard_normal((2, c, c)) / (2 * c) ** 0.5
        return self.add("Relu", [self.add("Conv2D", [at, self.weight(w)])])

    def attention(self, at):
        p = self.add("Softmax", [at])
        return self.add("Mul", [p, self.weight(np.full((1, 1, 1), 20))])

    def gate(self, at):
        small = self.add("Mul", [at, self.weight(np.full((1, 1, 1), 0.3))])
        e = self.add("Exp", [small])
        return self.add("RealDiv", [at, self.add("Add", [e, self.weight(np.ones((1, 1, 1)))])])

    def halves(self, at):
        a, b = self.add("Split", [at], 2)
        return self.add("ConcatV2", [self.add("Relu", [a]), b])


def compute(node, values, dtype):
    """Results by name, each rounded to dtype."""
    with np.errstate(all="ignore"):
        out = OPS[node.kind](*(values[i].astype("f4") for i in node.inputs))
        out = [x.astype(dtype) for x in (out if node.outputs > 1 else [out])]
    return {f"{node.name}:{i}": x for i, x in enumerate(out)}


def run(network, dtype, fault=None):
    """Tensors by name. fault: (operator, function from its outputs to what it hands on)."""
    values = {name: x.astype(dtype) for name, x in network.tensors.items()}
    for node in network.nodes:
        out = compute(node, values, dtype)
        if fault and fault[0] == node.name:
            out = dict(zip(out, (x.astype(dtype) for x in fault[1](list(out.values())))))
        values.update(out)
    return values


def dump(network, values, folder):
    os.makedirs(folder)
    for at, node in enumerate(network.nodes):
        stem = f"{node.kind}.{node.name}.{at + 1}.3.{1700000000000000 + at * 1000}"
        for i, name in enumerate(node.inputs):
            np.save(os.path.join(folder, f"{stem}.input.{i}.npy"), values[name])
        for i in range(node.outputs):
            np.save(os.path.join(folder, f"{stem}.output.{i}.npy"), values[f"{node.name}:{i}"])
