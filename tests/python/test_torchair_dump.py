import importlib
import json
import os
import sys
import tempfile
import time
import unittest
import warnings
from unittest import mock

import torchair
from assay import fusion_switch, torchair_dump

OFF = {"Switch": {"GraphFusion": {"ALL": "off"}, "UBFusion": {"ALL": "off"}}}


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.path = self.scratch.name
        torchair_dump._claimed.clear()  # as in a new process

    def write(self, name, text=""):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path


class Ge(Case):
    def test_all_parameters(self):
        given = torchair.CompilerConfig()
        switch = self.write("off.json", json.dumps(OFF))
        config = torchair_dump.get_ge_dump_config(
            self.path, dump_mode="output", fusion_switch_file=switch, dump_token=[1, 2, 5],
            dump_layer=["Add", "Conv_1"], compiler_config=given)
        self.assertIs(config, given)
        folder = os.path.join(self.path, "msit_ge_dump")
        self.assertTrue(os.path.isdir(folder))
        self.assertEqual(vars(config.dump_config), {
            "enable_dump": True, "dump_path": folder, "dump_mode": "output", "dump_step": "1|2|5",
            "dump_layer": "Add Conv_1"})
        self.assertEqual((config.debug.graph_dump.type, config.debug.graph_dump.path), ("txt", folder))
        self.assertEqual(config.fusion_config.fusion_switch_file, switch)

    def test_defaults_in_a_new_object(self):
        config = torchair_dump.get_ge_dump_config(self.path)
        self.assertEqual((config.dump_config.dump_mode, config.dump_config.dump_step), ("all", ""))
        self.assertIsNone(config.fusion_config.fusion_switch_file)

    def test_switch_file_of_the_environment(self):
        switch = self.write("off.json", json.dumps(OFF))
        with mock.patch.dict(os.environ, {fusion_switch.VARIABLE: switch}):
            config = torchair_dump.get_ge_dump_config(self.path)
        self.assertEqual(config.fusion_config.fusion_switch_file, switch)

    def test_refuses_nonsense(self):
        rows = [
            (TypeError, {"dump_path": 3}), (ValueError, {"dump_mode": "inputs"}),
            (TypeError, {"dump_token": "12"}), (TypeError, {"dump_token": 3}), (ValueError, {"dump_token": [-1]}),
            (ValueError, {"dump_token": [True]}), (ValueError, {"dump_token": ["1"]}), (ValueError, {"dump_token": []}),
            (TypeError, {"dump_layer": "Add"}), (ValueError, {"dump_layer": ["a b"]}), (ValueError, {"dump_layer": []}),
            (ValueError, {"dump_layer": [3]}), (TypeError, {"compiler_config": {}}),
            (FileNotFoundError, {"fusion_switch_file": "/nowhere.json"}),
        ]
        for error, wrong in rows:
            with self.subTest(wrong), self.assertRaises(error):
                torchair_dump.get_ge_dump_config(**{"dump_path": self.path, **wrong})
        self.assertEqual(os.listdir(self.path), [], "nothing is made for what is refused")

    def test_content_of_the_switch_file(self):
        rows = ["", "[]", "{}", '{"Switch": {}}', '{"Switch": {"Fusion": {}}}', '{"Switch": {"UBFusion": ["ALL"]}}',
                '{"Switch": {"UBFusion": {"ALL": "of"}}}']
        for number, text in enumerate(rows):
            path = self.write("{}.json".format(number), text)
            with self.subTest(text), self.assertRaises(ValueError):
                fusion_switch.checked(path)


class OneRunPerFolder(Case):
    def ge(self, **more):
        torchair_dump._claimed.clear()
        return torchair_dump.get_ge_dump_config(self.path, **more)

    def age(self, name):
        long_ago = time.time() - 3600
        os.utime(os.path.join(self.path, "msit_ge_dump", name), (long_ago, long_ago))

    def test_an_earlier_run_of_this_rank(self):
        for name in ("worldsize2_global_rank0/x", "dynamo_original_graph_1_rank_0_pid_7_ts_1.txt"):
            with self.subTest(name):
                path = self.write("msit_ge_dump/" + name)
                with self.assertRaisesRegex(FileExistsError, "allow_existing"):
                    self.ge()
                self.ge(allow_existing=True)
                os.remove(path)

    def test_other_ranks_of_the_same_start(self):
        for name in ("worldsize2_global_rank0/x", "dynamo_original_graph_1_rank_0_pid_7_ts_1.txt", "20240101120000/x"):
            self.write("msit_ge_dump/" + name)
        with mock.patch.dict(os.environ, {"RANK": "1"}):
            self.ge()

    def test_old_layout_without_ranks(self):
        self.write("msit_ge_dump/20240101120000/x")
        self.ge()
        self.age("20240101120000")
        with self.assertRaises(FileExistsError):
            self.ge()

    def test_a_second_model_of_this_process(self):
        torchair_dump.get_ge_dump_config(self.path)
        self.write("msit_ge_dump/worldsize1_global_rank0/x")
        torchair_dump.get_ge_dump_config(self.path)


class Fx(Case):
    def test_path_and_type(self):
        config = torchair_dump.get_fx_dump_config(self.path)
        self.assertEqual((config.debug.data_dump.type, config.debug.data_dump.path),
                         ("npy", os.path.join(self.path, "msit_fx_dump")))

    def test_a_version_that_ignores_the_path(self):
        with mock.patch.dict(os.environ, {"OLD": "1"}), self.assertWarnsRegex(UserWarning, "data_dump"):
            config = torchair_dump.get_fx_dump_config(self.path)
        self.assertEqual(config.debug.data_dump.type, "npy")

    def test_without_torchair(self):
        with mock.patch.dict(sys.modules, {"torchair": None}), self.assertRaisesRegex(ImportError, "torch_npu"):
            torchair_dump.get_fx_dump_config(self.path)


class Compat(unittest.TestCase):
    def test_scripts_for_msit_get_ours(self):
        path = os.path.join(os.path.dirname(torchair_dump.__file__), "..", "compat")
        with mock.patch.object(sys, "path", [path, *sys.path]), warnings.catch_warnings():
            from msit_llm.dump import torchair_dump as theirs
            import precision_tool.tf_config as old
        self.assertIs(theirs, torchair_dump)
        self.assertIs(old, importlib.import_module("assay.tf_config"))


if __name__ == "__main__":
    unittest.main()
