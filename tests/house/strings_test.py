#!/usr/bin/env python3
"""The texts of both languages: same keys, same holes, and every finding has its translation."""
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EN, ZH = (json.loads((ROOT / f"web/strings/{name}.json").read_text(encoding="utf-8")) for name in ("en", "zh"))
# .text = fmt::format("piece" "piece", ...
TEXT = re.compile(r'\.text\s*=\s*fmt::format\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"')
KEY = re.compile(r"\bt\(\s*[\"`](\w+)[\"`]")


def finding_texts():
    for path in sorted((ROOT / "src/advice").glob("*.cc")):
        for match in TEXT.findall(path.read_text(encoding="utf-8")):
            yield path.name, "".join(PIECE.findall(match))


class Strings(unittest.TestCase):
    def test_pages_have_the_same_keys(self):
        self.assertEqual(sorted(EN["page"]), sorted(ZH["page"]))

    def test_holes_agree(self):
        holes = re.compile(r"\{\d\}")
        for key, text in EN["page"].items():
            self.assertEqual(sorted(holes.findall(text)), sorted(holes.findall(ZH["page"][key])), key)

    def test_every_key_of_the_page_exists(self):
        for path in (ROOT / "web/src").rglob("*.ts*"):
            for key in KEY.findall(path.read_text(encoding="utf-8")):
                self.assertIn(key, EN["page"], path.name)

    def test_verdicts_have_words(self):
        for word in ("pass", "fail", "unsure", "trivial", "skipped", "error", "origin", "golden", "target"):
            self.assertIn(word, ZH["words"])

    def test_findings_have_translations(self):
        texts = list(finding_texts())
        self.assertGreater(len(texts), 10)
        for name, text in texts:
            sample = re.sub(r"(\{\})+", "X", text)
            fits = [p for p in ZH["sentences"]
                    if re.fullmatch(".*".join(map(re.escape, p.split("{}"))), sample)
                    or (text.endswith("{}") and p.startswith(re.sub(r"(\{\})+", "{}", text)[:-2]))]
            self.assertTrue(fits, f"{name}: no translation of '{text}'")

    def test_translations_use_holes_that_exist(self):
        for pattern, text in ZH["sentences"].items():
            for hole in re.findall(r"\{(\d)\}", text):
                self.assertLess(int(hole), pattern.count("{}"), pattern)


if __name__ == "__main__":
    unittest.main()
