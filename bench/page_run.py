"""A saved run of any size for the page, without tensors: page_run.py PATH OPERATORS.

Two rows for each operator, numbers as real runs have them, a few origins, and a graph of
transformer-like blocks for both sides.
"""
import json
import random
import sqlite3
import sys

METRICS = ("rel_l2", "cosine", "cosine_distance", "max_abs", "mean_abs", "rmse", "max_rel", "mean_rel", "accumulated_rel", "mape",
           "snr_db", "psnr_db", "within_1e3", "within_5e3", "allclose", "norm_ratio", "min_golden", "max_golden", "mean_golden",
           "std_golden", "l2_golden", "min_target", "max_target", "mean_target", "std_target", "l2_target")
COUNTS = ("nan_golden", "nan_target", "inf_golden", "inf_target", "rel_undefined")
TYPES = ("MatMulV2", "Add", "LayerNorm", "SoftmaxV2", "Mul", "Cast", "TransData", "Gelu", "Reshape", "Transpose")
PER_BLOCK = 25


def name_of(op):
    block, place = divmod(op, PER_BLOCK)
    return f"model/layers.{block}/{('attn', 'mlp')[place > 12]}/{TYPES[place % len(TYPES)].lower()}_{place}"


def row_of(number, rng):
    op, port = divmod(number, 2)
    error = rng.lognormvariate(-8, 1.5)
    bad = op % 9973 == 4000
    verdict = "fail" if bad else "unsure" if op % 500 == 77 else "pass"
    metrics = {"count": rng.randrange(1 << 8, 1 << 24), "equal": rng.randrange(1 << 8)}
    metrics.update((name, error * rng.uniform(0.5, 2)) for name in METRICS)
    metrics.update((name, 0) for name in COUNTS)
    side = {"tensor": f"output:{port}", "shape": [1, rng.randrange(1, 4096), 4096], "layout": "ND"}
    name = f"{name_of(op)}:output:{port}"
    return {"row": number, "name": name, "op": name_of(op), "type": TYPES[op % PER_BLOCK % len(TYPES)], "port": "output", "index": port,
            "rank": None, "step": None, "graph": None, "call": 0, "phase": "forward", "order": op, "order_from": "graph",
            "golden": [{"file": f"{name_of(op)}.{port}.npy".replace("/", "_"), "dtype": "f32", **side}],
            "target": [{"file": f"{TYPES[op % 10]}.{name_of(op)}.{op}.0.17".replace("/", "_"), "dtype": "f16", **side}],
            "strategy": "by-name", "why_paired": "same name", "steps": [], "evidence": "full", "verdict": verdict,
            "cause": "origin" if bad else "unknown" if verdict == "unsure" else None,
            "why": f"rel_l2 {error:.4g} is {error * 1000:.3g}x what rounding to f16 explains" if verdict != "pass" else "rounding to f16 explains it",
            "floor": {"level": "type", "metric": "rel_l2", "value": 0.0078125, "margin": error / 0.0078125},
            "metrics": metrics, "worst": []}


def graph_of(operators):
    """A residual stream with branches; every tenth operator has a constant."""
    nodes = [{"name": name_of(i), "type": TYPES[i % PER_BLOCK % len(TYPES)]} for i in range(operators)]
    edges = []
    for i in range(1, operators):
        edges += [i - 1, i]
        if i % PER_BLOCK == 12 and i > 12:
            edges += [i - 12, i]
        if i % 7 == 3 and i > 3:
            edges += [i - 3, i]
    edges = sorted(set(zip(edges[::2], edges[1::2])))
    return {"file": "graph.json", "nodes": nodes, "edges": [end for edge in edges for end in edge],
            "node_of_row": [i // 2 for i in range(2 * operators)]}


def header_of(rows):
    counts = dict.fromkeys(("pass", "fail", "unsure", "trivial", "skipped", "error"), 0)
    for row in rows:
        counts[row["verdict"]] += 1
    cover = {"total": len(rows), "compared": len(rows), "unpaired": 0, "skipped": 0, "error": 0}
    source = {"source": "golden/", "kind": "plain", "graph": "graph.json"}
    return {"schema": "assay.comparison/1", "verdict": "fail", "exit": 1, "origins": [r["op"] for r in rows if r["cause"] == "origin"][::2],
            "counts": counts, "coverage": {"pairs": len(rows), "golden": cover, "target": cover},
            "sources": {"golden": source, "target": source, "noise": None}, "pairing": {"strategy": "by-name", "why": "made up"},
            "findings": [], "run": {"tool": "bench", "started": "", "seconds": 0.0, "threads": 2, "simd": None, "argv": []}}


def write_run(path, operators):
    rng = random.Random(1)
    rows = [row_of(i, rng) for i in range(2 * operators)]
    db = sqlite3.connect(path)
    db.executescript("""PRAGMA synchronous = OFF; PRAGMA application_id = 0x41534159;
        CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
        CREATE TABLE rows(row INTEGER PRIMARY KEY, name TEXT, verdict TEXT, cause TEXT, data TEXT);
        CREATE TABLE unpaired(id INTEGER PRIMARY KEY, side TEXT, name TEXT, file TEXT, status TEXT, why TEXT);
        CREATE TABLE details(row INTEGER PRIMARY KEY, data TEXT);
        CREATE TABLE graphs(side TEXT PRIMARY KEY, data TEXT);""")
    db.executemany("INSERT INTO meta VALUES(?, ?)", [("schema", "assay.run/1"), ("header", json.dumps(header_of(rows)))])
    db.executemany("INSERT INTO rows VALUES(?, ?, ?, ?, ?)",
                   ((r["row"], r["name"], r["verdict"], r["cause"] or "", json.dumps(r)) for r in rows))
    graph = json.dumps(graph_of(operators))
    db.executemany("INSERT INTO graphs VALUES(?, ?)", [("golden", graph), ("target", graph)])
    db.commit()
    db.close()


if __name__ == "__main__":
    write_run(sys.argv[1], int(sys.argv[2]))
