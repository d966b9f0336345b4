"""Which golden tensor an operator of a GE graph holds: the plain reading of the rules.

Slow and simple on purpose, and without a line in common with the program: graphs are
the parsed JSON, tensors are (operator, index). Section numbers are those of the
matching rules of msaccucmp.
"""


def attrs(item):
    return {a["key"]: a["value"] for a in item.get("attr", ())}


def norm(name):
    return name.replace("/", "_").replace(".", "_")


class Op:
    def __init__(self, raw):
        self.name, self.type = raw["name"], raw["type"]
        self.id = raw.get("id", 0)
        self.inputs = [i for i in raw.get("input", ()) if i and not i.endswith(":-1")]
        own = attrs(raw)
        self.outputs = []
        for k, desc in enumerate(raw.get("output_desc", ())):
            if "attr" not in desc:
                continue
            said = attrs(desc)
            self.outputs.append([said.get("_datadump_origin_name", {}).get("s", ""),
                                 said.get("_datadump_origin_output_index", {}).get("i", k)])
        names = own.get("_datadump_original_op_names")
        if names is None:
            self.originals = [self.name]
            for out in self.outputs:
                out[0] = out[0] or self.name
            self.outputs = self.outputs or [[self.name, None]]
        else:
            self.originals = names["list"].get("s") or [""]
        self.l1 = own.get("_L1_fusion_sub_graph_no", {}).get("s", "")
        self.multi = own.get("_datadump_is_multiop", {}).get("b", False)

    def key(self):
        if self.l1:
            return "L1", self.l1
        if len(self.originals) > 1:
            return "many", tuple(self.originals)
        return "one", self.originals[0] or self.name


class Rule:  # 2.3
    def __init__(self, model):
        self.ops = [Op(raw) for graph in model["graph"] for raw in graph["op"]]
        self.by_name, self.groups = {}, {}
        for op in self.ops:
            self.by_name.setdefault(op.name, op)
            members = self.groups.setdefault(op.key(), [])
            if op.name not in [m.name for m in members]:
                members.append(op)
        for (kind, key), members in self.groups.items():
            if kind == "one" and len(members) == 1 and members[0].originals == [key]:
                for out in members[0].outputs:
                    out[0] = out[0] or key

    def producer(self, op, i):
        if i >= len(op.inputs):
            return None
        name, _, k = op.inputs[i].rpartition(":")
        return (self.by_name[name], int(k)) if name in self.by_name else None

    def resolve(self, op, i, is_input):  # 2.5
        at = self.producer(op, i) if is_input else (op, i)
        while at and at[0].type in ("Cast", "TransData"):
            at = self.producer(*at)
        if not at or not at[0].outputs:
            return None
        outputs, k = at[0].outputs, at[1]
        origin, index = outputs[k] if k < len(outputs) else outputs[0]
        return (norm(origin), k if index is None else index) if origin else None

    def against_unfused(self, off):  # 2.9; returns the operators that are kept
        made = {original: op for op in off.ops for original in op.originals if original}
        kept, originals, used, seen = set(), set(), set(), set()
        for op in reversed(self.ops):
            if op.key() in seen:
                continue
            seen.add(op.key())
            for member in self.groups[op.key()]:
                first = member.originals[0]
                there = made.get(first)
                if first in originals or (there and there.name in used):
                    continue
                originals.add(first)
                if there:
                    used.add(there.name)
                kept.add(member.name)
        for key, members in self.groups.items():
            self.groups[key] = [m for m in members if m.name in kept]
        for op in self.ops:  # 7.2: what is dropped can still be walked through
            for out in op.outputs:
                there = made.get(out[0])
                if not there:
                    continue
                for member in off.groups[there.key()]:
                    if out in member.outputs:
                        out[1] = member.outputs.index(out)
                        break
                out[0] = there.name
        return kept

    def is_inner(self, op):  # 2.4
        alone = len(self.groups[op.key()]) == 1
        return not alone and op.multi and not any(name for name, _ in op.outputs)
