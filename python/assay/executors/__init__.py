"""Executors in Python: a class with four methods becomes a program that assay can start.

    from assay.executors import BaseExecutor, serve

    class Mine(BaseExecutor):
        def load_model(self, model, config): ...
        def execute(self, names, inputs, config): return {name: array, ...}

    if __name__ == "__main__":
        serve(Mine)

`assay dump ./mine.py:model.onnx -o out` then runs it. docs/reference/executor-protocol.md tells what
goes over the pipe; `serve` does all of that.
"""
from assay.executors.base import BaseExecutor, Refused
from assay.executors.serving import serve

__all__ = ["BaseExecutor", "Refused", "serve"]
