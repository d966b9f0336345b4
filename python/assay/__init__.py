"""Helpers that run inside the framework whose tensors assay compares, and its tensors as NumPy arrays.

Pure Python, no build step: the folder can be copied to the machine that has the device. Nothing here
imports a framework until it is needed.
"""
import importlib

__version__ = "0.1.0"

# Loaded when they are first used: a capture helper must not wait for NumPy.
_HOMES = {
    "load": "tensors", "save": "tensors",
    "Model": "model", "Dump": "model", "compare": "model",
    "AssayError": "program", "run": "program",
}
__all__ = sorted(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute '{name}'")
    return getattr(importlib.import_module("assay." + _HOMES[name]), name)
