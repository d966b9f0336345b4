"""ONNX through TVM's Relax."""
from assay.executors.onnx_cut import folded, with_outputs


class Relax:
    """Builds a module that has the wanted tensors as its outputs, and runs it."""

    name = "relax"

    def __init__(self, target, opt_level):
        self.target, self.opt_level = target, int(opt_level)
        self.module = None

    def build(self, path, names, inputs):
        """A function from inputs to arrays, both by name. A single output comes bare, several as an array of arrays."""
        import tvm
        from tvm import relax
        from tvm.relax.frontend.onnx import from_onnx
        model = folded(with_outputs(path, names, inputs))
        module = from_onnx(model, keep_params_in_input=False)
        self.module = relax.transform.DeadCodeElimination()(module)
        with tvm.transform.PassContext(opt_level=self.opt_level):
            machine = relax.VirtualMachine(tvm.compile(self.module, target=self.target), tvm.cpu())
        taken = [entry.name for entry in model.graph.input if entry.name in inputs]

        def run(inputs):
            results = machine["main"](*(tvm.runtime.tensor(inputs[name]) for name in taken))
            arrays = [results] if hasattr(results, "numpy") else results
            return {name: array.numpy() for name, array in zip(names, arrays)}

        return run

    def text(self):
        return self.module["main"].script(show_meta=False)
