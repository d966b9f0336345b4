import importlib
import re
import types
import unittest

from assay import tfdbg_swap
from tensorflow.python.debug.wrappers import framework


class Steps(unittest.TestCase):
    def test_which_runs(self):
        for text, steps in (("0", {0}), ("0|5|10", {0, 5, 10}), (" 1 | ", {1}), ("", {0}), ("all", None)):
            self.assertEqual(tfdbg_swap.wanted_steps(text), steps)
        for text in ("1-3", "x", "-1"):
            with self.assertRaisesRegex(ValueError, "0|5|10"):
                tfdbg_swap.wanted_steps(text)


class Watching(unittest.TestCase):
    def watch(self, *names):
        operations = [types.SimpleNamespace(name=name) for name in names]
        session = types.SimpleNamespace(graph=types.SimpleNamespace(get_operations=lambda: operations))
        return tfdbg_swap.watching(session, framework.WatchOptions)(None, None).names

    def test_all_nodes(self):
        self.assertIsNone(self.watch("a", "scope/" * 60 + "b"))

    def test_but_for_names_it_would_die_of(self):
        longest = tfdbg_swap.LONGEST_NODE
        pattern = re.compile(self.watch("a/" + "x" * (longest + 1)))
        self.assertTrue(pattern.match("a/" + "x" * longest))
        self.assertTrue(pattern.match("b"))
        self.assertFalse(pattern.match("a/" + "x" * (longest + 1)))


class Arrange(unittest.TestCase):
    def test_nothing_without_a_folder(self):
        module = importlib.import_module("sys")
        before = list(module.meta_path)
        tfdbg_swap.arrange({})
        self.assertEqual(module.meta_path, before)

    def test_one_screen_whatever_is_asked_for(self):
        module = types.SimpleNamespace(get_ui=lambda ui_type, *words, **options: (ui_type, words, options))
        tfdbg_swap.one_screen("readline")(module)
        self.assertEqual(module.get_ui("curses", 1, two=2), ("readline", (1,), {"two": 2}))

    def test_modules_of_both_packages(self):
        finder = tfdbg_swap.ChangeAfterImport(tfdbg_swap.SCREENS, None)
        for name in ("tensorflow.python.debug.cli.ui_factory", "tensorflow_core.python.debug.cli.ui_factory"):
            self.assertIn(name, finder.names)


if __name__ == "__main__":
    unittest.main()
