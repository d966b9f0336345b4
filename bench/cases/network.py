"""A whole network: device dumps through their graph against float32 npy."""
import json

from case import Case, at_most, megabytes, seconds, share_of, times_faster
from context import HERE, PYTHON, RANK_OPS, output_of


def graph_of(target):
    """Each operator is fused from two; its output is the second one's."""
    def attr(key, **value):
        return {"key": key, "value": value}

    ops = []
    for number, path in enumerate(sorted(target.iterdir())):
        name = path.name.split(".")[1]
        output = {"attr": [attr("_datadump_origin_name", s=name),
                           attr("_datadump_origin_output_index", i=0)],
                  "dtype": "DT_FLOAT16"}
        originals = {"s": ["pre_" + name, name], "val_type": "VT_LIST_STRING"}
        ops.append({"attr": [attr("_datadump_original_op_names", list=originals)],
                    "id": number, "name": name, "output_desc": [output], "type": "Op"})
    return {"graph": [{"name": "net", "op": ops}], "name": "net"}


def network_case(ctx):
    golden, target = ctx.folder("ascend")
    graph = ctx.data / "network.json"
    seen = {}

    def prepare():
        ctx.require("ascend")
        ctx.warm("ascend")
        ctx.scanner()
        graph.write_text(json.dumps(graph_of(target)))
        options = ("--graph", graph)
        seen["run"] = ctx.checked(golden, target, len(ctx.files("ascend")) // 2, *options)

    def numpy():
        argv = [PYTHON, HERE / "network_numpy.py", golden, target, graph]
        return {"numpy": float(output_of(argv))}

    def bars(times):
        anonymous = seen["run"].peak_anon
        return [
            times_faster("network: x NumPy script", times["ours"], times["numpy"], 25),
            share_of("network: of page-cache rate", times["ours"], times.best("page cache"), 45),
            at_most("network: anonymous memory", anonymous, 150e6, megabytes),
        ]

    contenders = {
        "ours": lambda: ctx.ours(golden, target, "--graph", graph),
        "numpy": numpy,
        "scan": lambda: ctx.page_cache("ascend"),
    }
    return Case("network", contenders, bars, prepare, lambda: ctx.bytes("ascend"))


def ranks_case(ctx):
    """128 000 small dumps on each side, from opening to the report."""
    golden, target = ctx.folder("ranks")
    pairs = max(10, int(RANK_OPS * ctx.scale)) * 64

    def prepare():
        ctx.require("ranks")
        ctx.checked(golden, target, pairs)

    def bars(times):
        return [at_most("ranks: end to end", times["ours"], 20 * ctx.scale, seconds)]

    return Case("ranks", {"ours": lambda: ctx.ours(golden, target)}, bars, prepare)


def cases(ctx):
    return [network_case(ctx), ranks_case(ctx)]
