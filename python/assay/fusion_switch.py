"""The file that switches fusion passes of the graph compiler on and off."""
import json
import os

KINDS = ("GraphFusion", "UBFusion")
VARIABLE = "ASSAY_FUSION_SWITCH_FILE"  # `assay capture npu --fusion` sets it


def checked(path):
    """The path, absolute, of a switch file that the compiler will understand. ValueError says what is wrong in it."""
    if not os.path.isfile(path):
        raise FileNotFoundError("no such fusion switch file: {}".format(path))
    with open(path) as file:
        try:
            content = json.load(file)
        except ValueError as error:
            raise ValueError("{} is not JSON: {}".format(path, error)) from None
    switch = content.get("Switch") if isinstance(content, dict) else None
    if not isinstance(switch, dict) or not switch:
        raise ValueError('{} has no "Switch" with passes in it'.format(path))
    for kind, passes in switch.items():
        check_passes(path, kind, passes)
    return os.path.abspath(path)


def check_passes(path, kind, passes):
    if kind not in KINDS:
        raise ValueError("{}: '{}' is none of {}".format(path, kind, ", ".join(KINDS)))
    if not isinstance(passes, dict):
        raise ValueError("{}: {} holds no passes".format(path, kind))
    for name, state in passes.items():
        if state not in ("on", "off"):
            raise ValueError("{}: {} of {} is '{}', not on or off".format(path, name, kind, state))


def chosen(path=None):
    """The file asked for, else the one that the environment names; None if neither."""
    path = path or os.environ.get(VARIABLE)
    return checked(path) if path else None
