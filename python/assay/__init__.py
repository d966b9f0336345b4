"""Helpers that run inside the framework whose tensors assay compares.

Pure Python, no build step: the folder can be copied to the machine that has the device. Nothing here
imports a framework until it is needed.
"""
__version__ = "0.1.0"
