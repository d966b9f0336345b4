#!/usr/bin/env python3
"""The texts of both languages: same keys, same holes, and every finding and reason has its translation."""
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EN, ZH = (json.loads((ROOT / f"web/strings/{name}.json").read_text(encoding="utf-8")) for name in ("en", "zh"))
# .text = fmt::format("piece" "piece", ...
TEXT = re.compile(r'\.text\s*=\s*fmt::format\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
FORMAT = re.compile(r'fmt::format\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"')
KEY = re.compile(r"\bt\(\s*[\"`](\w+)[\"`]")


def finding_texts():
    for path in sorted((ROOT / "src/advice").glob("*.cc")):
        for match in TEXT.findall(path.read_text(encoding="utf-8")):
            yield path.name, "".join(PIECE.findall(match))


def reason_texts():
    """Sentences that the judges of rows put together; each stands for itself."""
    for path in sorted((ROOT / "src/judge").glob("*.cc")):
        for match in FORMAT.findall(path.read_text(encoding="utf-8")):
            text = "".join(PIECE.findall(match))
            yield from ((path.name, part) for part in text.split("; ") if re.search("[a-z]+ |[a-z]{4}", part))


def translations(text):
    """Patterns that a text of this format fits; what stands in its holes may be spelt out in them."""
    fits = re.compile(".*".join(map(re.escape, re.split(r"(?:\{\})+", text))))
    return [pattern for pattern in ZH["sentences"] if fits.search(pattern)]


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
            self.assertTrue(translations(text), f"{name}: no translation of '{text}'")

    def test_reasons_have_translations(self):
        texts = list(reason_texts())
        self.assertGreater(len(texts), 25)
        for name, text in texts:
            self.assertTrue(translations(text), f"{name}: no translation of '{text}'")

    def test_translations_use_holes_that_exist(self):
        for pattern, text in ZH["sentences"].items():
            for hole in re.findall(r"\{=?(\d)\}", text):
                self.assertLess(int(hole), pattern.count("{}"), pattern)


if __name__ == "__main__":
    unittest.main()
