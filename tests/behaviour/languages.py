"""`--lang zh`: what people read is Chinese, sentence by sentence; what programs read stays as it is."""
import os
import pathlib
import re

import dumps

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
CASES = {"fusion": ["--graph", "graph.json"], "autofuse": ["--graph", "graph.json"], "npu": [], "torchair_ge": [], "torchair_fx": [],
         "quantised": ["--graph", "graph.json"]}
CHINESE = re.compile("[\u4e00-\u9fff]")


def untranslated(sentences):
    """Parts that stand between '；' without a Chinese word, but those of an error."""
    return [part for text in sentences for part in re.split("；|; ", text) if not CHINESE.search(part)]


def table_of(markdown):
    """Verdict and why of each row of the report's table of rows."""
    rows = markdown.split("\n## 各行\n")[1].split("\n## ")[0]
    cells = [re.split(r"(?<!\\)\|", line) for line in rows.splitlines() if line.startswith("| ")]
    return [(line[2].strip(), line[-2].strip()) for line in cells[1:]]


def check_every_sentence(assay, folder, _samples):
    out = os.path.join(folder, "report.md")
    for name, words in CASES.items():
        case = DATA / "compare" / name
        words = [case / word if word.endswith(".json") else word for word in words]
        for more in ([], ["--atol", "0.1"], ["--fail-on", "cosine<0.9"], ["--noise", case / "golden"]):
            done = assay.run("compare", case / "golden", case / "my", *words, *more, "--lang", "zh", "--top", 100000, "-o", out)
            text = pathlib.Path(out).read_text(encoding="utf8")
            headline = text.split("\n\n")[1]
            whys = [why for verdict, why in table_of(text) if verdict != "错误"]
            assert whys, (name, more, done.stderr)
            assert not untranslated([headline, *whys]), (name, more, untranslated([headline, *whys]))
            printed = done.stdout.splitlines()
            assert CHINESE.search(printed[0]) and any(line.startswith("算子") for line in printed), printed[:3]


def check_machines_read_the_same(assay, folder, _samples):
    golden, target = os.path.join(folder, "golden"), os.path.join(folder, "target")
    dumps.write_side(golden, 0)
    dumps.write_side(target, 1)
    english, chinese = (assay.json("compare", golden, target, "--lang", lang) for lang in ("en", "zh"))
    del english["run"], chinese["run"]
    assert english == chinese
