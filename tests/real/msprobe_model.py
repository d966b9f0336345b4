"""Two steps of a small model on the CPU, dumped by msprobe.

    msprobe_model.py FOLDER TASK SUMMARY_MODE [RANK RANKS]

With ranks, each process takes a part of the batch and they add up gradients.
"""
import json
import pathlib
import sys

import torch
import torch.distributed as dist
from msprobe.pytorch import PrecisionDebugger


class Net(torch.nn.Module):
    """Linear, ReLU and an add, then what has other types, shapes and nestings."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 8)
        self.relu = torch.nn.ReLU()

    def forward(self, x):
        h = self.relu(self.linear(x)) + 1.5
        low, high = torch.chunk(h, 2, dim=1)
        h = torch.cat([high.t(), torch.add(low.t(), other=high.t())])
        positive = torch.gt(h, 2)
        best = torch.argmax(h, dim=0)
        h = torch.where(positive, h, torch.mul(h, 0.5)).to(torch.bfloat16)
        h = torch.mul(h, torch.add(best, 1)).double()
        h = torch.abs(torch.complex(h, h))
        return torch.neg(torch.sum(h)) + torch.sum(h[:0])


def debugger(folder, task, summary_mode):
    chosen = {"scope": [], "list": [], "data_mode": ["all"]}
    if task == "statistics":
        chosen["summary_mode"] = summary_mode
    config = {"task": task, "dump_path": folder, "rank": [], "step": [], "level": "mix",
              "risk_level": "ALL", "async_dump": False, task: chosen}
    path = pathlib.Path(f"{folder}.{task}.{summary_mode}.json")
    path.write_text(json.dumps(config))
    return PrecisionDebugger(config_path=str(path))


def main(folder, task, summary_mode, rank=0, ranks=1):
    rank, ranks = int(rank), int(ranks)
    torch.manual_seed(7)
    torch.set_num_threads(1)
    net = Net()
    if ranks > 1:
        dist.init_process_group("gloo", f"file://{folder}.meet", rank=rank, world_size=ranks)
    probe = debugger(folder, task, summary_mode)
    for _ in range(2):
        batch = torch.randn(ranks, 3, 4)[rank].requires_grad_()
        probe.start(model=net)
        net(batch).backward()
        if ranks > 1:
            dist.all_reduce(net.linear.weight.grad)
        probe.stop()
        probe.step()
    if ranks > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
