"""ONNX through TVM's Relay, also in the forks of vendors that are built on it."""
import os

from assay.executors.onnx_cut import with_outputs

# Some wheels are made for another Python: their compiled bindings do not load, ctypes does.
os.environ.setdefault("TVM_FFI", "ctypes")


class Relay:
    """Builds a module that has the wanted tensors as its outputs, and runs it."""

    name = "relay"

    def __init__(self, target, opt_level, **settings):
        """`settings`: device ["cpu"], disabled (names of passes), passes (module -> module)."""
        self.target, self.opt_level = target, int(opt_level)
        self.device = settings.get("device", "cpu")
        self.disabled = settings.get("disabled", [])
        self.passes = settings.get("passes", lambda module: module)
        self.module = None

    def build(self, path, names, inputs):
        """A function from inputs to arrays, both by name."""
        import tvm
        from tvm import relay
        model = with_outputs(path, names, inputs)
        taken = [entry.name for entry in model.graph.input if entry.name in inputs]
        shapes = {name: inputs[name].shape for name in taken}
        types = {name: inputs[name].dtype.name for name in taken}
        module, params = relay.frontend.from_onnx(model, shapes, dtype=types, freeze_params=True)
        self.module = self.passes(relay.transform.InferType()(module))
        with tvm.transform.PassContext(opt_level=self.opt_level, disabled_pass=self.disabled):
            library = relay.build(self.module, target=self.target, params=params)
        return self.runner(library, names)

    def runner(self, library, names):
        import tvm
        from tvm.contrib import graph_executor
        module = graph_executor.GraphModule(library["default"](tvm.device(self.device, 0)))

        def run(inputs):
            for name, array in inputs.items():
                if module.get_input_index(name) >= 0:  # a cut model may take fewer
                    module.set_input(name, array)
            module.run()
            return {name: module.get_output(i).numpy() for i, name in enumerate(names)}

        return run

    def text(self):
        return str(self.module)
