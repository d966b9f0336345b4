"""Whole networks through graphs: the pairs and numbers that msaccucmp prints.

expected*.csv were written by the original tool. A row with numbers is a pair;
its cosine and largest error tell which golden tensor it had.
"""
import csv
import json
import os

import make_om
import program

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "compare")


def compare(assay, folder, *words):
    path = os.path.join(DATA, folder)
    words = [word.replace("@", path + "/") for word in words]
    done = assay.run("compare", *words, "--json")
    return json.loads(done.stdout), done.stderr


def expected_pairs(*name):
    """{tensor: (cosine, max error)} of the rows with numbers."""
    with open(os.path.join(DATA, *name), newline="") as file:
        rows = list(csv.reader(file))
    head = rows[0]
    at = {word: head.index(word) for word in ("TensorIndex", "CosineSimilarity", "MaxAbsoluteError")}
    golden_type = len(head) - 1 - head[::-1].index("DataType")
    return {row[at["TensorIndex"]]: (row[at["CosineSimilarity"]], row[at["MaxAbsoluteError"]])
            for row in rows[1:] if row[golden_type] != "NaN" and row[at["TensorIndex"]] != "NaN"}


def row_key(row):
    return f"{row['op']}:{row['port']}:{row['index']}"


def same_pairs(report, expected, cut=()):
    """The same pairs; the same numbers, but where the original cut a tensor."""
    rows = {row_key(row): row for row in report["rows"]}
    assert set(rows) == set(expected), set(rows) ^ set(expected)
    for name, (cosine, error) in expected.items():
        metrics = rows[name]["metrics"]
        if name in cut or error in ("NaN", "nan") or metrics.get("nan_target"):
            continue
        assert abs(float(error) - metrics["max_abs"]) < 2e-6 * max(1, abs(float(error))), (name, metrics)
        if cosine not in ("nan", "1.0") and metrics["count"] > 1 and metrics["cosine"] is not None:
            assert abs(float(cosine) - metrics["cosine"]) < 2e-6, (name, cosine, metrics["cosine"])


def judge(strategy, report, talk, expected, cut=()):
    assert talk.splitlines()[0].startswith(f"pairing: {strategy} (because "), talk
    assert report["pairing"]["strategy"] == strategy
    same_pairs(report, expected, cut)
    program.expect_whole(report)


def check_fused_graph(assay, _folder, _samples):
    report, talk = compare(assay, "fusion", "@golden", "@my", "--graph", "@graph.json")
    judge("ge-fusion", report, talk, expected_pairs("fusion", "expected.csv"),
              cut={"shape_mis:output:0"})
    with open(os.path.join(DATA, "fusion", "expected_mapping.csv"), newline="") as file:
        paths = {row["TensorIndex"]: row["GroundTruthPath"].rsplit("/", 1)[-1]
                 for row in csv.DictReader(file) if row["GroundTruthPath"] != "NaN"}
    for row in report["rows"]:
        assert row["golden"][0]["file"] == paths[row_key(row)], row_key(row)
    by_name = {u["name"].split(".")[0]: u["why"] for u in report["unpaired"] if u["side"] == "golden"}
    assert by_name["conv1"] == "fused away into conv1bn1relu1", by_name
    conv = next(row for row in report["rows"] if row_key(row) == "conv1bn1relu1:output:0")
    assert conv["steps"] == ["target: unpack NC1HWC0 to NCHW", "target: cut C 16 to 8"], conv["steps"]
    assert conv["order"] == 3 and conv["order_from"] == "graph"


def check_text_json_and_om_agree(assay, folder, _samples):
    """One graph in three encodings; none of them needs the vendor's converter."""
    om = os.path.join(folder, "net.om")
    make_om.write_om(os.path.join(DATA, "fusion", "graph.json"), om)
    reports = []
    for graph in ("@graph.json", "@ge_proto_00000005_Build.txt", om):
        report, _ = compare(assay, "fusion", "@golden", "@my", "--graph", graph)
        del report["run"], report["sources"], report["pairing"]
        reports.append(report)
    assert reports[0] == reports[1] == reports[2]


def numeric(value):
    """As other writers print a graph: enums as numbers, null for what is not set."""
    if isinstance(value, dict):
        out = {key: numeric(item) for key, item in value.items()}
        return {**out, **({"shape": None, "has_out_attr": None} if "output_desc" in out else {})}
    if isinstance(value, list):
        return [numeric(item) for item in value]
    return make_om.ENUMS.get(value, value) if isinstance(value, str) else value


def check_graph_forms(assay, folder, _samples):
    """Named or numeric enums, an .om, paths from elsewhere: the same comparison."""
    for case, more in (("fusion", ()), ("autofuse", ()), ("quantised", ("--quant", "@quant.json"))):
        place = os.path.join(folder, case)
        os.makedirs(place)
        with open(os.path.join(DATA, case, "graph.json")) as file:
            model = json.load(file)
        with open(os.path.join(place, "numeric.json"), "w") as file:
            json.dump(numeric(model), file)
        make_om.write_om(os.path.join(DATA, case, "graph.json"), os.path.join(place, "graph.om"))
        reports = []
        for graph, slash in (("@graph.json", ""), (place + "/numeric.json", "/"), (place + "/graph.om", "//")):
            report, talk = compare(assay, case, "@golden" + slash, "@my" + slash, "--graph", graph, *more)
            assert talk.startswith("pairing: "), talk
            for key in ("run", "sources", "pairing", "findings"):
                del report[key]
            reports.append(report)
        assert reports[0] == reports[1] == reports[2], case


def check_short_stamps(assay, folder, _samples):
    """OPERATOR.INDEX.NUMBER.npy: any number will do, as the original has it."""
    golden = os.path.join(folder, "golden")
    os.makedirs(golden)
    for name in os.listdir(os.path.join(DATA, "fusion", "golden")):
        op, index, stamp, suffix = name.rsplit(".", 3)
        os.symlink(os.path.abspath(os.path.join(DATA, "fusion", "golden", name)),
                   os.path.join(golden, f"{op}.{index}.{int(stamp) % 1000}.{suffix}"))
    report, talk = compare(assay, "fusion", golden, "@my", "--graph", "@graph.json")
    judge("ge-fusion", report, talk, expected_pairs("fusion", "expected.csv"), cut={"shape_mis:output:0"})


def check_two_device_dumps(assay, _folder, _samples):
    report, talk = compare(assay, "npu", "@golden", "@my")
    judge("npu-by-name", report, talk, expected_pairs("npu", "expected.csv"))


def check_automatic_fusion(assay, _folder, _samples):
    report, talk = compare(assay, "autofuse", "@golden", "@my", "--graph", "@graph.json")
    judge("auto-fusion", report, talk, expected_pairs("autofuse", "expected.csv"))


def check_quantised(assay, _folder, _samples):
    for option in ("--quant", "--golden-graph"):
        report, talk = compare(assay, "quantised", "@golden", "@my", "--graph", "@graph.json",
                               option, "@quant.json")
        judge("quantised", report, talk, expected_pairs("quantised", "expected.csv"))
    for option in ("--quant", "--golden-graph", "--graph"):
        report, talk = compare(assay, "quantised", "@golden", "@my_quant_npy", option, "@quant.json")
        judge("quantised", report, talk, expected_pairs("quantised", "expected_quant_npy.csv"))



def check_names_of_a_log(assay, folder, _samples):
    """A long name that the golden script replaced and only printed."""
    long = "_".join(["tower", *(f"very_long_scope_name_{i:02}" for i in range(9)), "Sigmoid"])
    log = os.path.join(folder, "dump.log")
    with open(log, "w") as file:
        file.write(f"dump file name:  {long}.0.1741000123.npy  replace to  0.0.1741000123.npy\n")
    report, talk = compare(assay, "autofuse", "@golden", "@my", "--graph", "@graph.json",
                           "--name-log", log)
    assert "name log: 1 golden tensor" in talk, talk
    rows = {row_key(row): row for row in report["rows"]}
    found = rows["autofuse_fused_2_Neg_Exp_Sigmoid:output:1"]
    assert found["verdict"] == "pass" and found["golden"][0]["file"] == "0.0.1741000123.npy", found
