"""ONNX through TVM's Relax."""
from assay.executors.onnx_cut import folded, with_outputs


class Relax:
    """Builds a module that has the wanted tensors as its outputs, and runs it."""

    name = "relax"

    def __init__(self, target, opt_level):
        self.target, self.opt_level = target, int(opt_level)
        self.module = None

    def run(self, path, names, inputs):
        """The arrays by name. A single output comes bare, several as an array of arrays."""
        import tvm
        from tvm import relax
        from tvm.relax.frontend.onnx import from_onnx
        model = folded(with_outputs(path, names, inputs))
        module = from_onnx(model, keep_params_in_input=False)
        self.module = relax.transform.DeadCodeElimination()(module)
        with tvm.transform.PassContext(opt_level=self.opt_level):
            machine = relax.VirtualMachine(tvm.compile(self.module, target=self.target), tvm.cpu())
        given = [inputs[entry.name] for entry in model.graph.input if entry.name in inputs]
        results = machine["main"](*map(tvm.runtime.tensor, given))
        arrays = [results] if hasattr(results, "numpy") else results
        return {name: array.numpy() for name, array in zip(names, arrays)}

    def text(self):
        return self.module["main"].script(show_meta=False)
