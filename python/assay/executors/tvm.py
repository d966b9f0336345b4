"""TVM: Relay where this build has it, else Relax."""
import platform

from assay.executors import serve
from assay.executors.tvm_executor import TvmExecutor


class Tvm(TvmExecutor):
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


if __name__ == "__main__":
    serve(Tvm)
