#!/usr/bin/python3
"""A whole network in plain NumPy: what a careful user's own script would do.

usage: network_numpy.py GOLDEN TARGET GRAPH.json    prints the seconds of the work
Each operator of the graph that has a dump is decoded, unpacked to the layout of
the framework, and measured against the golden array of the tensor that it holds.
"""
import json
import pathlib
import sys
import time

import numpy as np

from baselines import full

NC1HWC0, FRACTAL_NZ = 3, 29


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """Numbers and bytes of a protobuf message, by field number."""
    at, out = 0, {}
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        out[key >> 3] = value
    return out


def shape(message):
    dims, data, at = [], fields(message)[1], 0
    while at < len(data):
        dim, at = varint(data, at)
        dims.append(dim)
    return dims


def read_dump(path):
    """The one output of a dump file, as the framework has it."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    output = fields(fields(data[8:8 + size])[3])
    stored, original = shape(output[3]), shape(output[7])
    array = np.frombuffer(data, np.float16, offset=8 + size).reshape(stored)
    return unpack(array, output.get(2, 0), original)


def unpack(array, layout, original):
    if layout == NC1HWC0:
        n, c1, h, w, c0 = array.shape
        array = array.transpose(0, 1, 4, 2, 3).reshape(n, c1 * c0, h, w)
        return array[:, :original[1]]
    if layout == FRACTAL_NZ:
        n1, m1, m0, n0 = array.shape
        array = array.transpose(1, 2, 0, 3).reshape(m1 * m0, n1 * n0)
        return array[:original[0], :original[1]]
    return array.reshape(original)


def origins(graph):
    """{operator: (golden operator, output)} of the first outputs."""
    out = {}
    for op in json.loads(graph.read_text())["graph"][0]["op"]:
        attrs = {a["key"]: a["value"] for a in op["output_desc"][0]["attr"]}
        index = attrs.get("_datadump_origin_output_index", {"i": 0})["i"]
        out[op["name"]] = attrs["_datadump_origin_name"]["s"], index
    return out


def run(golden, target, graph):
    arrays = {tuple(path.name.split(".")[:2]): path for path in golden.iterdir()}
    origin = origins(graph)
    for path in sorted(target.iterdir()):
        name, index = origin[path.name.split(".")[1]]
        array = np.load(arrays[name, str(index)])
        full(array.ravel(), read_dump(path).astype(np.float32).ravel())


def main():
    folders = [pathlib.Path(word) for word in sys.argv[1:]]
    begin = time.perf_counter()
    with np.errstate(all="ignore"):
        run(*folders)
    print(time.perf_counter() - begin)


if __name__ == "__main__":
    main()
