"""Ascend dumps and GE graphs, written from the format's description alone."""
import json
import os
import struct

import numpy as np

from dumps import varint

TYPES = {"f4": 1, "f2": 2, "i1": 3, "u1": 4, "i2": 5, "u2": 6, "i4": 7, "i8": 8, "u4": 9, "u8": 10,
         "b1": 11, "f8": 12, "c8": 16, "c16": 17}
NCHW, ND, NC1HWC0 = 0, 2, 3


def number(field, value):
    return varint(field << 3) + varint(value) if value else b""


def block(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def dims(field, shape):
    return block(field, block(1, b"".join(map(varint, shape))))


class Tensor:
    """Stored bytes; `code` and `layout` are numbers of the format."""

    def __init__(self, code, shape, data, layout=ND, original=None, size=None):
        self.code, self.shape, self.data, self.layout = code, shape, data, layout
        self.original = shape if original is None else original
        self.size = len(data) if size is None else size

    def head(self, size, original):
        return (number(1, self.code) + number(2, self.layout) + dims(3, self.shape) +
                number(size, self.size) + dims(original, self.original))


def tensor(array, **more):
    array = np.asarray(array)
    return Tensor(TYPES[array.dtype.str[1:]], array.shape, array.tobytes(), **more)


def dump_bytes(inputs=(), outputs=(), op_name="", attr=None):
    head = block(1, b"2.0") + number(2, 1700000000000000)
    head += b"".join(block(3, t.head(6, 7)) for t in outputs)
    head += b"".join(block(4, t.head(5, 6)) for t in inputs)
    head += block(6, op_name.encode()) if op_name else b""
    if attr is not None:
        head += block(7, block(1, b"ffts") + block(2, attr.encode()))
    return struct.pack("<Q", len(head)) + head + b"".join(t.data for t in (*inputs, *outputs))


def save(folder, name, inputs=(), outputs=(), **more):
    """inputs, outputs: arrays or Tensors."""
    os.makedirs(folder, exist_ok=True)
    made = [[t if isinstance(t, Tensor) else tensor(t) for t in side] for side in (inputs, outputs)]
    with open(os.path.join(folder, name), "wb") as file:
        file.write(dump_bytes(*made, **more))


def output(origin=None, index=None, dtype="DT_FLOAT"):
    attrs = [{"key": "origin_format", "value": {"s": "ND"}}]
    if origin is not None:
        attrs.append({"key": "_datadump_origin_name", "value": {"s": origin}})
    if index is not None:
        attrs.append({"key": "_datadump_origin_output_index", "value": {"i": index}})
    return {"attr": attrs, "dtype": dtype, "layout": "ND"}


def op(name, kind, inputs=(), outputs=(), originals=None, **attrs):
    """An operator as atc prints it; `attrs` are further attributes, as JSON values."""
    listed = [{"key": k, "value": v} for k, v in attrs.items()]
    if originals is not None:
        names = {"val_type": "VT_LIST_STRING"}
        if originals:
            names["s"] = list(originals)
        listed.append({"key": "_datadump_original_op_names", "value": {"list": names}})
    return {"name": name, "type": kind, "input": list(inputs), "output_desc": list(outputs),
            "attr": listed}


def save_graph(path, *graphs):
    """graphs: (name, operators); ids count from 0 in each."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    model = {"name": "ge_default", "graph": []}
    for name, ops in graphs:
        numbered = [{**o, **({"id": i} if i else {})} for i, o in enumerate(ops)]
        model["graph"].append({"name": name, "op": numbered})
    with open(path, "w", encoding="utf-8") as file:
        json.dump(model, file, indent=2)
