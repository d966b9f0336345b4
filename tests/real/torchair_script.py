"""What the real TorchAir does with Assay's settings, and its real FX dumper on the CPU.

    torchair_script.py TORCH_NPU FOLDER

TORCH_NPU holds the package as pip unpacked it; its binary parts, which need a device, are mocked.
Prints JSON: the settings. Below FOLDER: real-TYPE/ by TorchAir's dumper, ours-TYPE/ by fx_capture.
"""
import json
import pathlib
import sys
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = ("_torchair", "_npu_graph_executor", "_npu_utils", "_abi_compat_ge_apis")


def import_torchair(torch_npu):
    sys.path[:0] = [str(torch_npu / "torch_npu/dynamo"), str(ROOT / "python/compat")]
    for name in BINARY:
        sys.modules[f"torchair.core.{name}"] = mock.MagicMock()
    sys.modules["torch_npu"] = mock.MagicMock()
    import torchair
    return torchair


def settings(torchair, folder):
    """As seed scripts ask for them."""
    from msit_llm.dump import torchair_dump
    given = torchair.CompilerConfig()
    switch = folder / "fusion_switch.json"
    switch.write_text(json.dumps({"Switch": {"GraphFusion": {"ALL": "off"}, "UBFusion": {"ALL": "off"}}}))
    ge = torchair_dump.get_ge_dump_config(str(folder / "d"), dump_token=[1, 2, 5], dump_layer=["Add", "Conv_1"],
                                          fusion_switch_file=str(switch), compiler_config=given)
    fx = torchair_dump.get_fx_dump_config(str(folder / "d"))
    local_options, global_options = ge.as_dict()
    return {"same": ge is given, "step": ge.dump_config.dump_step.value, "layer": ge.dump_config.dump_layer.value,
            "mode": ge.dump_config.dump_mode.value, "path": ge.dump_config.dump_path.value,
            "graph": [ge.debug.graph_dump.type.value, ge.debug.graph_dump.path],
            "fx": [fx.debug.data_dump.type.value, fx.debug.data_dump.path], "options": global_options}


def block(torch, kind):
    class Block(torch.nn.Module):
        """Attention with its residual, then two linear layers with theirs."""

        def __init__(self):
            super().__init__()
            self.norm = torch.nn.LayerNorm(16)
            self.qkv, self.out = torch.nn.Linear(16, 48), torch.nn.Linear(16, 16)
            self.up, self.down = torch.nn.Linear(16, 64), torch.nn.Linear(64, 16)

        def forward(self, x):
            q, k, v = self.qkv(self.norm(x)).chunk(3, dim=-1)
            weights = torch.softmax(q @ k.transpose(-1, -2) / 4, dim=-1)
            x = x + self.out(torch.cat([weights @ v[..., :8], weights @ v[..., 8:]], dim=-1))
            return x + self.down(torch.nn.functional.gelu(self.up(x)))

    torch.manual_seed(3)
    return Block().eval().to(kind), torch.randn(2, 5, 16).to(kind)


def dump(torch, folder):
    from assay import fx_capture
    from msit_llm.dump import torchair_dump
    from torchair.fx_dumper import _NpuFxDumper
    for name, kind in (("f32", torch.float32), ("bf16", torch.bfloat16)):
        module, x = block(torch, kind)
        graph = fx_capture.graph_of(module, (x,), decompose=True)
        config = torchair_dump.get_fx_dump_config(str(folder / f"real-{name}"))
        dumper = _NpuFxDumper(graph, config=config.debug.data_dump, name="graph_1")
        with torch.no_grad():
            for _ in range(2):
                dumper(x)
        fx_capture.capture(graph, (x,), str(folder / f"ours-{name}"), steps=2)


def main(torch_npu, folder):
    folder = pathlib.Path(folder)
    torchair = import_torchair(pathlib.Path(torch_npu))
    import torch
    said = settings(torchair, folder)
    dump(torch, folder)
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
