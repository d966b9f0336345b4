"""Python imports this at its start while its folder is on PYTHONPATH: `assay capture tf` puts it there.

It arranges the swap of tfdbg's prompt and then lets a sitecustomize of the machine do its own work.
"""
import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def run_the_other():
    elsewhere = [path for path in sys.path if os.path.abspath(path or ".") != HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if spec and spec.loader:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def arrange_swap():
    """Loads the module by its file: nothing else of this package gets onto the job's path."""
    path = os.path.join(os.path.dirname(HERE), "tfdbg_swap.py")
    spec = importlib.util.spec_from_file_location("assay_tfdbg_swap", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.arrange(os.environ)


arrange_swap()
run_the_other()
