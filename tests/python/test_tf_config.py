import collections
import os
import tempfile
import types
import unittest
from unittest import mock

from assay import tf_config
from npu_bridge.estimator.npu.npu_config import DumpConfig


class Entry(types.SimpleNamespace):
    """A value of a parameter map: what was set."""


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = os.path.realpath(scratch.name)
        before = os.getcwd()
        os.chdir(self.path)
        self.addCleanup(os.chdir, before)

    def environment(self, **variables):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("ASSAY_", "PRECISION_TOOL_"))}
        return mock.patch.dict(os.environ, {**kept, **variables}, clear=True)


class Settings(Case):
    def test_nothing_is_asked_for(self):
        with self.environment():
            self.assertEqual(tf_config.settings(), {})

    def test_dump(self):
        with self.environment(PRECISION_TOOL_DUMP="True", ASSAY_DUMP_PATH="d", ASSAY_DUMP_STEP="0|5"):
            self.assertEqual(tf_config.settings(), {
                "op_debug_level": 4, "dump_path": os.path.join(self.path, "d"), "enable_dump": True,
                "dump_mode": "all", "dump_step": "0|5"})
        self.assertTrue(os.path.isdir("d"))

    def test_overflow_by_action(self):
        with self.environment():
            values = tf_config.settings("overflow")
        self.assertEqual(values["dump_path"], os.path.join(self.path, "precision_data/overflow/dump"))
        self.assertTrue(values["enable_dump_debug"])
        self.assertNotIn("enable_dump", values)

    def test_fusion(self):
        with self.environment():
            values = tf_config.settings("fusion_off")
            self.assertTrue(values["dump_path"].endswith("npu/debug_1/dump"))
            self.assertIn('"ALL": "off"', open(values["fusion_switch_file"]).read())
            with self.assertRaisesRegex(ValueError, "ASSAY_FUSION_SWITCH_FILE"):
                tf_config.settings("fusion_switch")
        with self.environment(ASSAY_FUSION_SWITCH_FILE=values["fusion_switch_file"]):
            self.assertEqual(tf_config.settings("dump")["fusion_switch_file"], values["fusion_switch_file"])

    def test_unknown_action(self):
        with self.assertRaisesRegex(ValueError, "dmup"):
            tf_config.settings("dmup")


class Uses(Case):
    def test_custom_op(self):
        op = types.SimpleNamespace(parameter_map=collections.defaultdict(Entry))
        with self.environment(PRECISION_TOOL_DUMP="True", ASSAY_DUMP_PATH="d"):
            tf_config.update_custom_op(op)
        values = {name: vars(entry) for name, entry in op.parameter_map.items()}
        self.assertEqual(values, {
            "use_off_line": {"b": True}, "op_debug_level": {"i": 4}, "enable_dump": {"b": True},
            "dump_path": {"s": os.path.join(self.path, "d").encode()}, "dump_mode": {"s": b"all"},
            "dump_step": {"s": b"0"}})

    def test_estimator_as_value_and_as_call(self):
        with self.environment(PRECISION_TOOL_DUMP="True", ASSAY_DUMP_PATH="d"):
            value, called = tf_config.estimator_dump_config, tf_config.estimator_dump_config()
            overflow = tf_config.estimator_dump_config(action="overflow")
        for config in (value, called):
            self.assertIsInstance(config, DumpConfig)
            self.assertEqual((config.enable_dump, config.dump_mode, config.dump_step), (True, "all", "0"))
        self.assertTrue(overflow.enable_dump_debug)
        self.assertFalse(overflow.enable_dump)

    def test_tensorflow_2(self):
        options = types.SimpleNamespace(dump_config=types.SimpleNamespace())
        device = types.SimpleNamespace(global_options=lambda: options)
        with self.environment(ASSAY_DUMP_PATH="d"):
            tf_config.npu_device_dump_config(device, "dump")
        self.assertEqual(options.op_debug_level, 4)
        self.assertEqual(vars(options.dump_config), {
            "dump_path": os.path.join(self.path, "d"), "enable_dump": True, "dump_mode": "all", "dump_step": "0"})

    def test_no_such_name(self):
        with self.assertRaises(AttributeError):
            tf_config.no_such_name


if __name__ == "__main__":
    unittest.main()
