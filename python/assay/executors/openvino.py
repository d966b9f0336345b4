"""OpenVINO. The precision asked for is not always the one that runs: it is read back and recorded."""
import os
import sys

from assay.executors import BaseExecutor, Refused, serve

PRECISIONS = ("f32", "f16", "bf16")
ISA = "ONEDNN_MAX_CPU_ISA"


class OpenVino(BaseExecutor):
    module = "openvino"
    options = ("precision", "device", "threads")
    keeps = True

    def init(self, config):
        import openvino
        self.core = openvino.Core()
        self.device = config.get("device", "CPU")
        self.precision = config.get("precision", "f32")
        self.actual = ""
        if self.precision not in PRECISIONS:
            raise Refused(f"precision is one of {', '.join(PRECISIONS)}, not '{self.precision}'")
        if self.precision == "bf16" and ISA not in os.environ:
            print(f"If this dies of signal 4 (illegal instruction), the machine announces AMX and has none: "
                  f"set {ISA}=AVX512_CORE_FP16", file=sys.stderr, flush=True)

    def load_model(self, model, config):
        self.model = self.core.read_model(model)
        self.shaped, self.compiled = False, {}

    def fix_shapes(self, inputs):
        """Once per model: with the inputs' shapes all others are known too. A cut model may take fewer."""
        if not self.shaped:
            self.taken = {name for port in self.model.inputs for name in port.get_names()} & set(inputs)
            if self.taken:
                self.model.reshape({name: list(inputs[name].shape) for name in self.taken})
            self.shaped = True

    def marked(self, names):
        """A copy with these tensors as outputs, and what cannot be one."""
        model, errors = self.model.clone(), {}
        for name in names:
            try:
                if not is_output(model, name):
                    model.add_outputs(name)
            except RuntimeError as error:
                errors[name] = LookupError("OpenVINO's reader left it out: " + last_line(error))
        return model, errors

    def sizes(self, names, inputs):
        self.fix_shapes(inputs)
        model, errors = self.marked(names)
        sizes = {}
        for name in names:
            port = model.output(name) if name not in errors else None
            if port is not None and port.partial_shape.is_static:
                sizes[name] = port.get_tensor().size * port.element_type.size
        return sizes

    def execute(self, names, inputs, config):
        if tuple(names) not in self.compiled:
            self.fix_shapes(inputs)
            model, errors = self.marked(names)
            compiled = self.core.compile_model(model, self.device, self.properties(config))
            self.compiled = {tuple(names): (compiled, errors)}
        compiled, errors = self.compiled[tuple(names)]
        self.actual = precision_name(compiled.get_property("INFERENCE_PRECISION_HINT"))
        results = compiled({name: inputs[name] for name in self.taken})
        return {name: errors.get(name) or results[compiled.output(name)] for name in names}

    def properties(self, config):
        properties = {"INFERENCE_PRECISION_HINT": self.precision}
        if "threads" in config:
            properties["INFERENCE_NUM_THREADS"] = int(config["threads"])
        return properties

    def facts(self):
        return {"device": self.device, "precision": self.actual, "precision_asked": self.precision}

    def notes(self):
        if self.actual in ("", self.precision):
            return []
        return [f"{self.precision} was asked for, OpenVINO ran in {self.actual}: this {self.device} has no {self.precision}"]


def is_output(model, name):
    return any(name in port.get_names() for port in model.outputs)


def precision_name(hint):
    """'f16' of <Type: 'float16'>."""
    return hint.get_type_name() if hasattr(hint, "get_type_name") else str(hint)


def last_line(error):
    return str(error).strip().splitlines()[-1]


if __name__ == "__main__":
    serve(OpenVino)
