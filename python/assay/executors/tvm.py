"""TVM: Relay where this build has it, else Relax."""
import platform

from assay.executors import BaseExecutor, serve


class Tvm(BaseExecutor):
    module = "tvm"
    options = ("target", "opt_level")

    @classmethod
    def check(cls):
        import onnx  # noqa: F401: the importers need it

    def init(self, config):
        level = config.get("opt_level", 3)
        try:
            from tvm import relay  # noqa: F401
        except ImportError:
            from assay.executors.tvm_relax import Relax
            self.compiler = Relax(config.get("target", "llvm"), level)
            return
        from assay.executors.tvm_relay import Relay
        # Forks of vendors build for the vendor's CPU unless told which one.
        here = f"llvm -mtriple={platform.machine()}-linux-gnu"
        self.compiler = Relay(config.get("target", here), level)

    def load_model(self, model, config):
        self.model = model

    def execute(self, names, inputs, config):
        return self.compiler.run(self.model, names, inputs)

    def ir_text(self):
        return self.compiler.text()

    def facts(self):
        return {"ir": self.compiler.name, "target": self.compiler.target,
                "opt_level": self.compiler.opt_level}


if __name__ == "__main__":
    serve(Tvm)
