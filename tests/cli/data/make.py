#!/usr/bin/python3
"""Make the sample dumps of the transcript tests: tests/cli/data/make.py.

golden/     eight outputs of a little network, float32
target/     the same with rounding noise; from conv2 on the values are wrong
truncated/  golden with relu1.npy cut in the middle of its values
"""
import pathlib
import shutil

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def network(image, weights, wrong):
    """(name, output) of each operator; `wrong` moves every channel of conv2 by one."""
    conv1 = np.einsum("oc,chw->ohw", weights["conv1"], image)
    yield "conv1", conv1
    relu1 = np.maximum(conv1, 0)
    yield "relu1", relu1
    pool1 = relu1.reshape(4, 4, 2, 4, 2).max((2, 4))
    yield "pool1", pool1
    conv2 = np.einsum("oc,chw->ohw", weights["conv2"], pool1)
    if wrong:
        conv2 = np.roll(conv2, 1, axis=0)
    yield "conv2", conv2
    relu2 = np.maximum(conv2, 0)
    yield "relu2", relu2
    flat = relu2.reshape(-1)
    yield "flatten", flat
    fc = weights["fc"] @ flat
    yield "fc", fc
    exp = np.exp(fc - fc.max())
    yield "softmax", exp / exp.sum()


def save(folder, outputs, noise):
    random = np.random.default_rng(2)
    shutil.rmtree(HERE / folder, ignore_errors=True)
    (HERE / folder).mkdir()
    for name, values in outputs:
        values = values * (1 + noise * random.uniform(-1, 1, values.shape))
        np.save(HERE / folder / f"{name}.npy", values.astype(np.float32)[np.newaxis])


def main():
    random = np.random.default_rng(1)
    image = random.normal(size=(3, 8, 8))
    weights = {"conv1": random.normal(size=(4, 3)), "conv2": random.normal(size=(8, 4)) / 2,
               "fc": random.normal(size=(10, 128)) / 10}
    save("golden", network(image, weights, wrong=False), noise=0)
    save("target", network(image, weights, wrong=True), noise=2.0**-24)
    save("truncated", network(image, weights, wrong=False), noise=0)
    cut = HERE / "truncated/relu1.npy"
    cut.write_bytes(cut.read_bytes()[:640])


main()
