"""Dump settings for TensorFlow on an Ascend device, as scripts for precision_tool use them.

    import precision_tool.tf_config as npu_tf_config      # or: from assay import tf_config as npu_tf_config
    sess = tf.Session(config=npu_tf_config.session_dump_config(config))
    npu_config = NPURunConfig(dump_config=npu_tf_config.estimator_dump_config)

What is switched on is said by `assay capture npu|overflow -- CMD` through the environment, or by `action`. A script
that runs without either dumps nothing.
"""
import os
import random

from assay import fusion_switch

ACTIONS = ("dump", "overflow", "fusion_off", "fusion_switch")
ALL_OFF = '{"Switch": {"GraphFusion": {"ALL": "off"}, "UBFusion": {"ALL": "off"}}}\n'


def current_action():
    """"dump", "overflow" or None, as the environment says."""
    if os.environ.get("PRECISION_TOOL_DUMP") == "True":
        return "dump"
    if os.environ.get("PRECISION_TOOL_OVERFLOW") == "True":
        return "overflow"
    return None


def checked_action(action):
    if action is not None and action not in ACTIONS:
        raise ValueError("action '{}' is none of {}".format(action, ", ".join(ACTIONS)))
    return action or current_action()


def dump_path(action):
    folder = "overflow/dump" if action == "overflow" else "npu/debug_{}/dump".format(int(action != "dump"))
    path = os.environ.get("ASSAY_DUMP_PATH") or os.path.join("precision_data", folder)
    os.makedirs(path, exist_ok=True)
    return os.path.abspath(path)


def switch_file(action):
    """The fusion switch file of this run; None without one."""
    if action != "fusion_off":
        path = fusion_switch.chosen()
        if path is None and action == "fusion_switch":
            raise ValueError("action fusion_switch needs the variable {}".format(fusion_switch.VARIABLE))
        return path
    path = os.path.join(os.path.dirname(dump_path(action)), "fusion_off.cfg")
    with open(path, "w") as file:
        file.write(ALL_OFF)
    return fusion_switch.checked(path)


def settings(action=None):
    """Name and value of every setting of this run, as TensorFlow's adapter calls them."""
    action = checked_action(action)
    if action is None:
        return {}
    values = {"op_debug_level": int(os.environ.get("ASSAY_OP_DEBUG_LEVEL", "4"))}
    values["dump_path"] = dump_path(action)
    if action == "overflow":
        values.update(enable_dump_debug=True, dump_debug_mode="all")
    else:
        values.update(enable_dump=True, dump_mode="all", dump_step=os.environ.get("ASSAY_DUMP_STEP", "0"))
    path = switch_file(action)
    if path:
        values["fusion_switch_file"] = path
    return values


def update_custom_op(custom_op, action=None):
    """Adds the settings to the NpuOptimizer of a session's configuration."""
    custom_op.parameter_map["use_off_line"].b = True
    for name, value in settings(action).items():
        entry = custom_op.parameter_map[name]
        if isinstance(value, bool):
            entry.b = value
        elif isinstance(value, int):
            entry.i = value
        else:
            entry.s = value.encode()
    return custom_op


def npu_optimizer(config):
    """The NpuOptimizer of a configuration; added if there is none."""
    optimizers = config.graph_options.rewrite_options.custom_optimizers
    for optimizer in optimizers:
        if optimizer.name == "NpuOptimizer":
            return optimizer
    optimizer = optimizers.add()
    optimizer.name = "NpuOptimizer"
    return optimizer


def session_dump_config(config=None, action=None):
    """A ConfigProto with the settings in it: the one given, changed in place, or a new one."""
    from tensorflow.core.protobuf import config_pb2, rewriter_config_pb2
    config = config_pb2.ConfigProto() if config is None else config
    update_custom_op(npu_optimizer(config), action)
    # Remapping fuses operators before the device's compiler sees them.
    config.graph_options.rewrite_options.remapping = rewriter_config_pb2.RewriterConfig.OFF
    return config


def make_estimator_config(action=None):
    """The adapter's DumpConfig, which NPURunConfig takes; it can be called and gives itself then."""
    try:
        from npu_bridge.estimator.npu.npu_config import DumpConfig
    except ImportError:
        raise ImportError("the TensorFlow adapter for Ascend (npu_bridge) is not installed here") from None

    class CallableDumpConfig(DumpConfig):
        def __call__(self, action=None):
            return make_estimator_config(action)

    wanted = ("enable_dump", "dump_path", "dump_step", "dump_mode", "enable_dump_debug", "dump_debug_mode")
    return CallableDumpConfig(**{name: value for name, value in settings(action).items() if name in wanted})


def __getattr__(name):
    # Old scripts use it as a value, newer ones call it; both must see the adapter's own type.
    if name == "estimator_dump_config":
        return make_estimator_config()
    raise AttributeError("module 'tf_config' has no attribute '{}'".format(name))


def npu_device_dump_config(npu_device, action=None):
    """TensorFlow 2: puts the settings into npu_device.global_options()."""
    options = npu_device.global_options()
    for name, value in settings(action).items():
        if name in ("op_debug_level", "fusion_switch_file"):
            setattr(options, name, value)
        else:
            setattr(options.dump_config, name, value)
    return npu_device


def seed(value=None):
    """Makes what is random repeatable: Python, NumPy, TensorFlow. Call it before the graph is built."""
    value = int(os.environ.get("ASSAY_SEED", "2022")) if value is None else value
    os.environ["PYTHONHASHSEED"] = str(value)  # for processes started from here
    os.environ["TF_DETERMINISTIC_OPS"] = "1"
    random.seed(value)
    try:
        import numpy
        numpy.random.seed(value)
    except ImportError:
        pass
    import tensorflow
    if hasattr(tensorflow, "set_random_seed"):
        tensorflow.set_random_seed(value)
    else:
        tensorflow.random.set_seed(value)
    return value
