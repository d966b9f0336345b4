"""Names of arrays, and the check that a dump repeats."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

import numpy
from assay import determinism
from assay.array_folder import ArrayFolder


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = scratch.name


class Names(Case):
    def test_as_the_tools_want_them(self):
        folder = ArrayFolder(self.path)
        rows = [("scope/node:1", "scope_node.1.17.npy"), ("a", "a.0.17.npy"), ("a:0", "a.0.18.npy"),
                ("scope_node:1", "scope_node.1.18.npy"), ("a:x", "a_x.0.17.npy")]
        for tensor, name in rows:
            self.assertEqual(folder.save(tensor, numpy.zeros(1), 17), name)
            self.assertTrue(os.path.exists(os.path.join(self.path, name)))
        self.assertEqual(ArrayFolder(self.path).save("a:0", numpy.zeros(1), 17), "a.0.19.npy")

    def test_long_ones(self):
        folder = ArrayFolder(self.path)
        names = [folder.save("s/" + "x" * 300 + ":1", numpy.zeros(1), 17) for _ in range(2)]
        self.assertEqual(names, ["0.1.17.npy", "1.1.17.npy"])
        with open(os.path.join(self.path, "mapping.csv")) as mapping:
            self.assertEqual(mapping.read(), "0.1.17.npy,s_{0}.1.17.npy\n1.1.17.npy,s_{0}.1.18.npy\n".format("x" * 300))

    def test_objects_are_not_pickled(self):
        with self.assertRaises(ValueError):
            ArrayFolder(self.path).save("a", numpy.array([b"x", None], object))


class Determinism(Case):
    def dump(self, name, **arrays):
        folder = ArrayFolder(os.path.join(self.path, name))
        for tensor, array in arrays.items():
            folder.save(tensor, numpy.asarray(array))
        return folder.path

    def run_main(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = determinism.main(words)
        return code, out.getvalue()

    def test_the_same(self):
        a, b = (self.dump(name, x=[1.0, numpy.nan], y=[2]) for name in "ab")
        self.assertEqual(self.run_main(a, b), (0, "2 arrays compared, 0 tensors differ\n"))

    def test_differences(self):
        a = self.dump("a", x=[1.0, 2.0], y=[2], z=[0.0], only=[1])
        b = self.dump("b", x=[1.0, 3.0], y=[2, 3], z=[-0.0])
        self.assertEqual(self.run_main(a, b), (1, (
            "only.0.npy: dumped 1 and 0 times\nx.0.npy: 1 of 2 values\ny.0.npy: int64 (1,) and int64 (2,)\n"
            "z.0.npy: 1 of 1 values\n3 arrays compared, 4 tensors differ\n")))

    def test_nothing_compared(self):
        self.assertEqual(self.run_main(self.path, self.path)[0], 2)

    def test_a_command_that_runs_twice(self):
        script = "import numpy, random, sys; numpy.save(sys.argv[1] + '/x.npy', random.random() * {})"
        for factor, code in ((0, 0), (1, 1)):
            out = os.path.join(self.path, str(factor))
            words = ["-o", out, "--", sys.executable, "-c", script.format(factor), "{}"]
            words[-2] = words[-2].replace("{}", "")
            self.assertEqual(self.run_main(*words)[0], code)


if __name__ == "__main__":
    unittest.main()
