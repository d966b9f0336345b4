"""The reference evaluator of the Python package onnx: slow, written to be read."""
from assay.executors import BaseExecutor, serve


class OnnxReference(BaseExecutor):
    module = "onnx"

    def load_model(self, model, config):
        from onnx.reference import ReferenceEvaluator
        self.evaluator = ReferenceEvaluator(model)

    def execute(self, names, inputs, config):
        results = self.evaluator.run(None, inputs, intermediate=True)
        return {name: results[name] for name in names if name in results}


if __name__ == "__main__":
    serve(OnnxReference)
