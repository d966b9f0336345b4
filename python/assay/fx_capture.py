"""Runs a PyTorch module operator by operator and saves what TorchAir's FX dump would.

    from assay import fx_capture
    fx_capture.capture(module, (x,), "dump")

Files lie in worldsizeW_global_rankR/GRAPH/STEP/ and are called NODE-TARGET.INPUT|OUTPUT.I[.J].TIME.npy: `assay compare`
and `assay llm compare` read them as a dump of TorchAir's FX graph.
"""
import datetime
import os

import numpy
import torch


def timestamp():
    return datetime.datetime.now(tz=datetime.timezone.utc).strftime("%Y%m%d%H%M%S%f")


def as_array(value):
    """NumPy has no bfloat16: as float32. What is no tensor is saved as NumPy sees it, else as text."""
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        return (value.to(torch.float32) if value.dtype == torch.bfloat16 else value).numpy()
    try:
        array = numpy.array(value)
    except ValueError:
        array = None
    return numpy.array(str(value)) if array is None or array.dtype.hasobject else array


def is_tensor_list(value):
    return isinstance(value, (list, tuple)) and len(value) > 0 and isinstance(value[0], torch.Tensor)


def rank_folder():
    import torch.distributed as dist
    if dist.is_available() and dist.is_initialized():
        return "worldsize{}_global_rank{}".format(dist.get_world_size(), dist.get_rank())
    return "worldsize1_global_rank0"


class Dumper(torch.fx.Interpreter):
    """Runs a graph; every call of an operator of torch leaves its inputs and outputs. Each run is a step."""

    def __init__(self, graph_module, folder, name="graph_1"):
        super().__init__(graph_module)
        self._folder = os.path.join(folder, rank_folder(), name)
        self._step = 0
        self._node = None

    def run(self, *args, **kwargs):
        os.makedirs(self._path(), exist_ok=True)
        result = super().run(*args, **kwargs)
        self._step += 1
        return result

    def run_node(self, n):
        self._node = n
        return super().run_node(n)

    def call_function(self, target, args, kwargs):
        # getitem and the like only pass tensors on.
        if not isinstance(target, torch._ops.OpOverload):
            return super().call_function(target, args, kwargs)
        stem, time = "{}-{}".format(self._node.name, target), timestamp()
        for i, value in enumerate(args):
            for mark, tensor in self._parts(i, value):
                self._save("{}.INPUT.{}.{}".format(stem, mark, time), tensor)
        result = super().call_function(target, args, kwargs)
        for i, tensor in enumerate(result if isinstance(result, (list, tuple)) else [result]):
            self._save("{}.OUTPUT.{}.{}".format(stem, i, time), tensor)
        return result

    @staticmethod
    def _parts(i, value):
        if is_tensor_list(value):
            return [("{}.{}".format(i, j), tensor) for j, tensor in enumerate(value)]
        return [(str(i), value)]

    def _path(self):
        return os.path.join(self._folder, str(self._step))

    def _save(self, name, value):
        numpy.save(os.path.join(self._path(), name + ".npy"), as_array(value), allow_pickle=False)


def graph_of(module, args, kwargs=None, decompose=False):
    """The graph of a module, by torch.export; with `decompose` in the core operators of torch."""
    if isinstance(module, torch.fx.GraphModule):
        return module
    exported = torch.export.export(module, args, kwargs)
    if decompose:
        exported = exported.run_decompositions()
    return exported.module()


def capture(module, args, folder, kwargs=None, decompose=False, steps=1):
    """Dumps `steps` runs of a module into a folder; what the last run returned."""
    dumper = Dumper(graph_of(module, args, kwargs, decompose), folder)
    result = None
    with torch.no_grad():
        for _ in range(steps):
            result = dumper.run(*args, **(kwargs or {}))
    return result
