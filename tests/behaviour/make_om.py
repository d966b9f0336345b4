"""An .om file from a GE graph in JSON: header, partition table, ModelDef."""
import json
import struct

STRING, NUMBER, MESSAGE = "string", "number", "message"

ATTR = {"list": (1, "LIST"), "s": (2, STRING), "i": (3, NUMBER), "b": (5, NUMBER)}
FIELDS = {
    "MODEL": {"name": (1, STRING), "version": (2, NUMBER), "custom_version": (3, STRING),
              "graph": (7, "GRAPH"), "attr": (11, "ENTRY")},
    "GRAPH": {"name": (1, STRING), "input": (4, STRING), "op": (6, "OP"), "attr": (11, "ENTRY")},
    "OP": {"name": (1, STRING), "type": (2, STRING), "input": (5, STRING), "attr": (10, "ENTRY"),
           "has_out_attr": (20, NUMBER), "id": (21, NUMBER), "stream_id": (22, NUMBER),
           "input_name": (23, STRING), "src_name": (24, STRING), "src_index": (25, NUMBER),
           "dst_name": (26, STRING), "dst_index": (27, NUMBER), "is_input_const": (32, NUMBER),
           "input_desc": (33, "DESC"), "output_desc": (34, "DESC"), "subgraph_name": (35, STRING)},
    "DESC": {"name": (1, STRING), "dtype": (2, NUMBER), "shape": (3, "SHAPE"), "layout": (4, STRING),
             "attr": (5, "ENTRY")},
    "SHAPE": {"dim": (1, NUMBER)},
    "ENTRY": {"key": (1, STRING), "value": (2, "ATTR")},
    "ATTR": ATTR,
    "LIST": {"s": (2, STRING), "i": (3, NUMBER), "val_type": (20, NUMBER)},
}
ENUMS = {"DT_FLOAT": 1, "DT_FLOAT16": 2, "DT_INT8": 3, "DT_INT32": 7, "DT_INT64": 8, "DT_BOOL": 11,
         "VT_LIST_STRING": 1, "VT_LIST_INT": 2}


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, kind, value):
    if kind == NUMBER:
        return varint(number << 3) + varint(ENUMS.get(value, value) if isinstance(value, str) else int(value))
    data = value.encode() if kind == STRING else message(kind, value)
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(kind, values):
    out = b""
    for key, value in (values or {}).items():
        number, inner = FIELDS[kind][key]
        for one in value if isinstance(value, list) else [value]:
            out += field(number, inner, one)
    return out


def om_bytes(model):
    data = message("MODEL", model)
    body = struct.pack("<IIII", 1, 0, 0, len(data)) + data
    header = bytearray(256)
    struct.pack_into("<4sII", header, 0, b"IMOD", 256, 0x20000000)
    struct.pack_into("<I", header, 76, len(body))
    struct.pack_into("<I", header, 156, 1)
    return bytes(header) + body


def write_om(graph_json, path):
    with open(graph_json, encoding="utf-8") as file:
        model = json.load(file)
    with open(path, "wb") as file:
        file.write(om_bytes(model))
