"""Tecorigin's SDAA devices through the vendor's TVM, which must be installed.

The option passes=FILE.py names a file with use_passes(module, config): it gets the Relay module and the
options, and returns the module to be built. Without one the passes below are used.
"""
import importlib.util
import os

from assay.executors import Refused, serve
from assay.executors.tvm_executor import TvmExecutor

TARGET = "sdaa --libs=tecodnn,tecoblas"


class Sdaa(TvmExecutor):
    options = ("passes", "target", "device", "opt_level", "dtype")

    @classmethod
    def check(cls):
        """The vendor's TVM is known by its target; the plain one is of no use here."""
        import tvm
        import tvm.relay  # noqa: F401
        import onnx  # noqa: F401: the importer needs it
        if "sdaa" not in tvm.target.Target.list_kinds():
            raise Refused("this module 'tvm' has no target 'sdaa': Tecorigin's is not installed")

    def init(self, config):
        from assay.executors.tvm_relay import Relay
        target = config.get("target", TARGET)
        if target.startswith("sdaa"):
            self.check()
        self.pass_file = config.get("passes", "")
        use_passes = load_passes(self.pass_file)
        # Level 0 and no simplified inference: what the vendor's dump tool builds with.
        self.compiler = Relay(target, config.get("opt_level", 0), device=config.get("device", "sdaa"),
                              disabled=["SimplifyInference"],
                              passes=lambda module: use_passes(module, config))

    def facts(self):
        return {**super().facts(), "passes": self.pass_file or "default"}


def default_passes(module, config):
    """What every Relay has: types, folded constants, no dead code."""
    import tvm
    from tvm.relay import transform
    steps = [transform.InferType(), transform.SimplifyExpr(), transform.FoldConstant(),
             transform.EliminateCommonSubexpr(), transform.DeadCodeElimination(), transform.InferType()]
    with tvm.transform.PassContext(opt_level=3):
        return tvm.transform.Sequential(steps)(module)


def load_passes(path):
    """use_passes of the user's file, or the default."""
    if not path:
        return default_passes
    if not os.path.isfile(path):
        raise Refused(f"there is no pass file {path}")
    spec = importlib.util.spec_from_file_location("assay_passes", path)
    if spec is None or spec.loader is None:
        raise Refused(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "use_passes"):
        raise Refused(f"{path} has no function use_passes(module, config)")
    return module.use_passes


if __name__ == "__main__":
    serve(Sdaa)
