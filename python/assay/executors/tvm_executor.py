"""What executors on top of TVM share: a compiler of ours (Relay, Relax) does the work."""
from assay.executors.base import BaseExecutor


class TvmExecutor(BaseExecutor):
    """`init` sets self.compiler."""
    module = "tvm"

    def load_model(self, model, config):
        self.model = model

    def execute(self, names, inputs, config):
        return self.compiler.run(self.model, names, inputs)

    def ir_text(self):
        return self.compiler.text()

    def facts(self):
        return {"ir": self.compiler.name, "target": self.compiler.target, "opt_level": self.compiler.opt_level}
