"""Dump settings for TorchAir: models compiled by the graph engine (GE), and the FX graph on the host.

    config = torchair_dump.get_ge_dump_config(dump_path="dump")
    model = torch.compile(model, backend=torchair.get_npu_backend(compiler_config=config))

Two runs in one folder cannot be told apart afterwards, so a folder with data of this rank is refused.
"""
import os
import re
import time
import warnings

from assay import fusion_switch

GE_FOLDER, FX_FOLDER = "msit_ge_dump", "msit_fx_dump"
MODES = ("input", "output", "all")
TIME_FOLDER = re.compile(r"\d{14,}")
# Ranks of one start begin within this time, in seconds.
SAME_START = 60
STARTED = time.time()
_claimed = set()  # by this process


def get_ge_dump_config(dump_path="", dump_mode="all", fusion_switch_file=None, dump_token=None, dump_layer=None,
                       compiler_config=None, allow_existing=False):
    """Switches on the dump of every operator as it runs on the device, and of the graphs.

    dump_token: [1, 2, 5], which tokens. dump_layer: ["Add", "Conv_1"], which operators.
    compiler_config is changed in place and returned; without one, a new object is.
    allow_existing: the folder may hold an earlier run's data.
    """
    if dump_mode not in MODES:
        raise ValueError("dump_mode '{}' is none of {}".format(dump_mode, ", ".join(MODES)))
    tokens, layers = token_text(dump_token), layer_text(dump_layer)
    switch_file = fusion_switch.chosen(fusion_switch_file)
    config = checked_config(compiler_config)
    folder = claimed_folder(dump_path, GE_FOLDER, allow_existing)
    config.debug.graph_dump.type = "txt"
    set_path(config.debug.graph_dump, folder, "the graphs land in the working folder")
    config.dump_config.enable_dump = True
    config.dump_config.dump_path = folder
    config.dump_config.dump_mode = dump_mode
    if tokens:
        config.dump_config.dump_step = tokens
    if layers:
        config.dump_config.dump_layer = layers
    if switch_file:
        config.fusion_config.fusion_switch_file = switch_file
    return config


def get_fx_dump_config(dump_path="", compiler_config=None, allow_existing=False):
    """Switches on the dump of the FX graph, which then runs operator by operator on the host."""
    config = checked_config(compiler_config)
    folder = claimed_folder(dump_path, FX_FOLDER, allow_existing)
    config.debug.data_dump.type = "npy"
    set_path(config.debug.data_dump, folder, "the data lands in ./data_dump")
    return config


def token_text(tokens):
    """"1|2|5" of [1, 2, 5]."""
    if tokens is None:
        return ""
    if isinstance(tokens, (str, bytes)) or not hasattr(tokens, "__iter__"):
        raise TypeError("dump_token is a list of numbers like [1, 2, 5], not {!r}".format(tokens))
    tokens = list(tokens)
    for token in tokens:
        if isinstance(token, bool) or not isinstance(token, int) or token < 0:
            raise ValueError("dump_token holds numbers of 0 and more, not {!r}".format(token))
    if not tokens:
        raise ValueError("dump_token is empty: None dumps every token")
    return "|".join(map(str, tokens))


def layer_text(layers):
    """"Add Conv_1" of ["Add", "Conv_1"]."""
    if layers is None:
        return ""
    if isinstance(layers, (str, bytes)) or not hasattr(layers, "__iter__"):
        raise TypeError('dump_layer is a list of names like ["Add"], not {!r}'.format(layers))
    layers = list(layers)
    for layer in layers:
        if not isinstance(layer, str) or not layer or layer != "".join(layer.split()):
            raise ValueError("dump_layer holds names without blanks, not {!r}".format(layer))
    if not layers:
        raise ValueError("dump_layer is empty: None dumps every layer")
    return " ".join(layers)


def config_class():
    try:
        import torchair
    except ImportError:
        try:
            from torch_npu.dynamo import torchair
        except ImportError:
            raise ImportError("TorchAir is not installed here: it comes with torch_npu") from None
    return torchair.CompilerConfig


def checked_config(config):
    wanted = config_class()
    if config is None:
        return wanted()
    if not isinstance(config, wanted):
        raise TypeError("compiler_config is a torchair.CompilerConfig, not a {}".format(type(config).__name__))
    return config


def set_path(option, folder, otherwise):
    if hasattr(option, "path"):
        option.path = folder
    else:
        warnings.warn("this version of TorchAir ignores dump_path here: {}".format(otherwise))


def this_rank():
    try:
        import torch.distributed as dist
        if dist.is_available() and dist.is_initialized():
            return dist.get_rank()
    except ImportError:
        pass
    text = os.environ.get("RANK", "0")
    return int(text) if text.isdigit() else 0


def earlier_data(folder, rank):
    """The first entry that an earlier run of this rank left; None if there is none. What other ranks of the same
    start wrote does not count."""
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        of_rank = re.fullmatch(r"worldsize\d+_global_rank(\d+)", name)
        if of_rank:
            if int(of_rank.group(1)) == rank and os.listdir(path):
                return name
        elif "_rank_{}_".format(rank) in name:
            return name
        elif (TIME_FOLDER.fullmatch(name) or name == "data_dump") and \
                os.path.getmtime(path) < STARTED - SAME_START:
            return name
    return None


def claimed_folder(dump_path, name, allow_existing):
    """Makes the folder; refuses one that has data of this rank."""
    if not isinstance(dump_path, str):
        raise TypeError("dump_path is a str, not {!r}".format(dump_path))
    folder = os.path.abspath(os.path.join(dump_path, name))
    os.makedirs(folder, exist_ok=True)
    if folder not in _claimed and not allow_existing:
        found = earlier_data(folder, this_rank())
        if found:
            raise FileExistsError(
                "{} has data of an earlier run ({}), and two runs in one folder cannot be told apart: give another "
                "dump_path, remove it, or pass allow_existing=True".format(folder, found))
    _claimed.add(folder)
    return folder
