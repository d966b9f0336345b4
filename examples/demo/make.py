#!/usr/bin/python3
"""Make the dumps of the demo: examples/demo/make.py.

A small CNN is computed twice. golden/ is float64 arithmetic stored as float32;
target/ rounds weights and every result to float16, as an accelerator would.
One operator of the target is wrong: 07_pool2 averages windows of 3 x 3 values
but divides by 16, the size of the window after padding to 4 x 4.
trusted/ is a float16 run of the right network that adds up in float32: what a
good device does, for --noise.
"""
import pathlib
import shutil

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def windows(x, size, stride=1):
    """Every size x size window of a (channels, height, width) image."""
    view = np.lib.stride_tricks.sliding_window_view(x, (size, size), axis=(1, 2))
    return view[:, ::stride, ::stride]


def conv(x, weight, bias):
    return np.einsum("chwyx,ocyx->ohw", windows(x, weight.shape[-1]), weight) + bias[:, None, None]


def batch_norm(x, scale, shift, mean, variance):
    factor = scale / np.sqrt(variance + 1e-5)
    return (x - mean[:, None, None]) * factor[:, None, None] + shift[:, None, None]


def relu(x):
    return np.maximum(x, 0)


def max_pool(x):
    return windows(x, 2, 2).max((-1, -2))


def average_pool(x, divisor):
    return windows(x, 3, 2).sum((-1, -2)) / divisor


def softmax(x):
    exp = np.exp(x - x.max())
    return exp / exp.sum()


def make_weights(random):
    def convolution(out, channels):
        return random.normal(size=(out, channels, 3, 3)) / np.sqrt(5 * channels), random.normal(size=out) / 4

    def normalisation(channels):
        return (random.uniform(0.8, 1.2, channels), random.normal(size=channels) / 4,
                random.normal(size=channels) / 4, random.uniform(0.5, 1.5, channels))

    return {"conv1": convolution(8, 3), "bn1": normalisation(8), "conv2": convolution(12, 8),
            "bn2": normalisation(12), "conv3": convolution(16, 12), "bn3": normalisation(16),
            "fc": (random.normal(size=(20, 16)) / 2, random.normal(size=20) / 4)}


def network(image, w, pool_divisor):
    """The operators in order: a name, and what it does to the result before it."""
    return [
        ("conv1", lambda x: conv(image, *w["conv1"])),
        ("bn1", lambda x: batch_norm(x, *w["bn1"])),
        ("relu1", relu),
        ("pool1", max_pool),
        ("conv2", lambda x: conv(x, *w["conv2"])),
        ("bn2", lambda x: batch_norm(x, *w["bn2"])),
        ("relu2", relu),
        ("pool2", lambda x: average_pool(x, pool_divisor)),
        ("conv3", lambda x: conv(x, *w["conv3"])),
        ("bn3", lambda x: batch_norm(x, *w["bn3"])),
        ("relu3", relu),
        ("mean", lambda x: x.mean((1, 2))),
        ("fc", lambda x: w["fc"][0] @ x + w["fc"][1]),
        ("softmax", softmax),
    ]


def dump(folder, operators, dtype, work=np.float64):
    """Run the operators on `work` numbers, round each result to dtype, and store it."""
    shutil.rmtree(HERE / folder, ignore_errors=True)
    (HERE / folder).mkdir()
    x = None
    for number, (name, operator) in enumerate(operators):
        stored = operator(x).astype(dtype)
        np.save(HERE / folder / f"{number:02}_{name}.npy", stored[np.newaxis])
        x = stored.astype(work)


def rounded(weights, dtype, work=np.float64):
    return {name: tuple(part.astype(dtype).astype(work) for part in parts)
            for name, parts in weights.items()}


def main():
    random = np.random.default_rng(7)
    image = random.normal(size=(3, 26, 26)).astype(np.float16).astype(np.float64)
    weights = make_weights(random)
    dump("golden", network(image, rounded(weights, np.float32), 9), np.float32)
    dump("target", network(image, rounded(weights, np.float16), 16), np.float16)
    single = network(image.astype(np.float32), rounded(weights, np.float16, np.float32), np.float32(9))
    dump("trusted", single, np.float16, np.float32)


main()
