#!/usr/bin/env python3
"""The checks of tools/check and the counting of tools/run_tests, on made-up inputs."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))

from checks import includes, names, sizes  # noqa: E402


def load(name):
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def complaints(check, tree):
    """What a check says of files below src/."""
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name, text in tree.items():
            path = root / "src" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check(root, None)


class Includes(unittest.TestCase):
    TREE = {
        "base/text.h": "",
        "core/dump.h": '#include "base/text.h"\n#include <vector>\n',
        "codecs/codec.h": '#include "core/dump.h"\n',
        "codecs/npy_header.h": "",
        "codecs/npy.h": "",
        "codecs/npy.cc": '#include "codecs/npy.h"\n#include "codecs/npy_header.h"\n'
                         "extern constinit const Codec kNpy = {};\n",
        "codecs/npz.cc": '#include "codecs/npy_header.h"\nextern constinit const Codec kNpz = {};\n',
        "codecs/registry.cc": '#include "codecs/codec.h"\nextern const Codec kNpz,\n    kNpy;\n',
        "graphs/onnx.h": '#include "kernel/reduce.h"\n',
        "kernel/reduce.h": "",
    }

    def test_good(self):
        self.assertEqual(complaints(includes.check, self.TREE), [])

    def test_bad(self):
        for name, text, complaint in [
                ("base/text.h", '#include "core/dump.h"\n', "core is above base"),
                ("graphs/onnx.h", '\n#include "codecs/codec.h"\n', "codecs is beside graphs"),
                ("codecs/npz.cc", '#include "codecs/npy.h"\nextern const Codec kNpz{};\n', "both are in registry.cc"),
                ("core/dump.cc", '#include "dump.h"\n', "the path must start at src/"),
                ("misc/x.cc", '#include "base/text.h"\n', "folder 'misc' is in no layer"),
        ]:
            with self.subTest(name=name):
                found = complaints(includes.check, {**self.TREE, name: text})
                self.assertEqual(len(found), 1, found)
                self.assertIn(complaint, found[0])
                self.assertTrue(found[0].startswith(f"src/{name}:"), found[0])


class Names(unittest.TestCase):
    TREE = {
        "codecs/npy.cc": "namespace assay {\nextern constinit const Codec kNpy = {};\n",
        "codecs/registry.cc": "namespace assay {\nextern const Codec kNpy;\n",
        "core/far.h": "namespace assay {\ninline constexpr int kFar = 1,\n    kNear = 2;\n",
        "core/other.h": "namespace assay::other {\ninline constexpr int kFar = 3;\n",
        "core/inner.h": "namespace assay {\nclass A {\n  static constexpr int kNpy = 1;\n};\n",
    }

    def test_good(self):
        self.assertEqual(complaints(names.check, self.TREE), [])

    def test_bad(self):
        for text, complaint in [
                ('inline constexpr std::string_view kNpy = ".npy";\n', "assay::kNpy is in a registry and in src/base/x.h"),
                ("inline constexpr int kNear[] = {1, 2};\n", "assay::kNear is in src/base/x.h and in src/core/far.h"),
        ]:
            with self.subTest(text=text):
                found = complaints(names.check, {**self.TREE, "base/x.h": "namespace assay {\n" + text})
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(complaint), found[0])


class Functions(unittest.TestCase):
    def test_lengths(self):
        for text, expected in [
                ("int F() { return 1; }\n", [("F", 1, 1)]),
                ("namespace a {\nint F(\n    int x) {\n  if (x) {\n  }\n}\n}\n", [("F", 2, 5)]),
                ("class A : public B {\n public:\n  A() : x_(1) {}\n  int x_{0};\n};\n", [("A", 3, 1)]),
                ("struct alignas(8) A {\n  int F() const {\n  }\n};\n", [("F", 2, 2)]),
                ("const T kRows[] = {\n  {F(1), {2}},\n};\n", []),
                ("void F(int x = 1) {\n  auto g = [](int y) {\n  };\n}\n", [("F", 1, 4)]),
                ('void F() {\n  G("}", \'}\');  // }\n}\n', [("F", 1, 3)]),
                ('void F() {\n  G(R"x(}\n)x");\n}\n', [("F", 1, 4)]),
                ("int F() { return 1\'000; }\nint G() { return 2\'000; }\n", [("F", 1, 1), ("G", 2, 1)]),
                ("TEST(Npy, Reads) {\n}\n", [("TEST", 1, 2)]),
        ]:
            with self.subTest(text=text):
                self.assertEqual(list(sizes.functions(text)), expected)


class Counting(unittest.TestCase):
    def test_counts(self):
        run, ok = "[ RUN      ] A.B\n", "[       OK ] A.B (0 ms)\n"
        bad, skipped = "[  FAILED  ] A.B (1 ms)\n", "[  SKIPPED ] A.B (0 ms)\n"
        for status, output, expected in [
                ("run", run + ok + run + ok, "2 passed, 0 failed"),
                ("fail", run + ok + run + bad + run + skipped + "[  FAILED  ] A.B\n", "1 passed, 1 failed, 1 skipped"),
                ("fail", run + bad + run + "Segmentation fault\n", "0 passed, 2 failed"),
                ("fail", run + ok + "leaked 8 bytes\n", "1 passed, 1 failed"),
                ("run", "text\n3 passed, 0 failed\n", "3 passed, 0 failed"),
                ("fail", "3 passed, 2 failed\n", "3 passed, 2 failed"),
                ("run", "anything", "1 passed, 0 failed"),
                ("fail", "", "0 passed, 1 failed"),
                ("disabled", "", "0 passed, 0 failed, 1 skipped"),
        ]:
            with self.subTest(status=status, output=output):
                test = xml.Element("testcase", status=status)
                xml.SubElement(test, "system-out").text = output
                counts = load("run_tests").Counts()
                counts.add(test)
                self.assertEqual(str(counts), expected)


if __name__ == "__main__":
    unittest.main()
