"""Calls of operators as PyTorch's hooks dump them, and which of them belong together.

Only tables and the plain rule; tests/data/codecs/make_hdf5.py writes the files.
"""
CPU, GPU, NPU = 0, 1, 10
F4, F2, F8, I4, I8, I1 = "f4", "f2", "f8", "i4", "i8", "i1"

# (operator, order, port, parameter, type); a sixth entry: not a tensor.
FILES = {
    "calls_npu": (NPU, [
        ("Conv", 10, "input", "x", F2), ("Conv", 10, "output", "result", F2),
        ("Conv", 9, "output", "result", F2), ("Conv", 100, "output", "result", F2),
        ("NpuConvolutionBackward", 11, "output", "grad_input", F2),
        ("NpuConvolutionBackward", 12, "output", "grad_input", F2),
        ("NpuConvolutionBackward", 13, "input", "input", F2),
        ("NativeBatchNormBackward", 14, "input", "eps", F4),
        ("NativeBatchNormBackward", 14, "input", "grads/self", F4),
        ("NpuRelu", 15, "output", "result", F4),
        ("Index", 16, "input", "index", I4), ("Index", 16, "output", "result", F4),
        ("Sum", 17, "output", "result", F4), ("Sum", 17, "input", "dim", I8, "list"),
        ("Only", 18, "output", "result", F4),
        ("Mask", 19, "output", "result", I1)]),
    "calls_gpu": (GPU, [
        ("Conv", 1, "input", "x", F4), ("Conv", 1, "output", "result", F4),
        ("Conv", 2, "output", "result", F4), ("Conv", 30, "output", "result", F4),
        ("CudnnConvolutionBackward", 3, "output", "grad_input", F4),
        ("ThnnConvDepthwise2DBackward", 4, "output", "grad_input", F4),
        ("CudnnConvolutionBackward", 5, "input", "self", F4),
        ("CudnnBatchNormBackward", 6, "input", "epsilon", F4),
        ("CudnnBatchNormBackward", 6, "input", "grads/input", F4),
        ("CudnnRelu", 7, "output", "result", F4),
        ("Index", 8, "input", "index", I8), ("Index", 8, "output", "result", F8),
        ("Sum", 20, "output", "result", I4), ("Sum", 20, "input", "dim", I8, "list"),
        ("Mask", 21, "output", "result", I1),
        ("Extra", 22, "output", "result", F4)]),
    "loaded_npu": (NPU, [("Conv", 2, "output", "result", F2), ("Conv", 30, "output", "result", F2),
                         ("Conv", 40, "output", "result", F2)]),
}
SAME = {("NativeBatchNormBackward", "CudnnBatchNormBackward"),
        ("NpuConvolutionBackward", "CudnnConvolutionBackward"),
        ("NpuConvolutionBackward", "ThnnConvDepthwise2DBackward")}
ALIKE = ({I4, I8}, {F4, F2})


def path(call):
    return "/".join(map(str, call[:4]))


def tensors(name):
    return [call for call in FILES[name][1] if len(call) == 5]


def counted(op):
    return "conv backward" if op in ("CudnnConvolutionBackward", "ThnnConvDepthwise2DBackward") else op


def numbers(calls):
    """{(operator, order): number of its execution}"""
    orders = {}
    for op, order, *_ in calls:
        orders.setdefault(counted(op), set()).add(order)
    return {(op, order): sorted(orders[counted(op)]).index(order) for op, order, *_ in calls}


def other_ops(op, device):
    names = [op] + [b for a, b in sorted(SAME) if a == op] + [a for a, b in sorted(SAME) if b == op]
    if op.startswith("Npu"):
        names.append(("Cudnn" if device == GPU else "Thnn") + op[3:])
    return names


def other_parameter(name):
    swap = {"eps": "epsilon", "epsilon": "eps", "input": "self", "self": "input"}
    return "/".join(swap.get(level, level) for level in name.split("/"))


def may_meet(a, b):
    return a == b or {a, b} in ALIKE


def pairs(golden, target):
    """{target path: golden path} of what is compared."""
    theirs, mine = tensors(golden), tensors(target)
    there = {path(call): call for call in theirs}
    their_numbers, my_numbers = numbers(theirs), numbers(mine)
    loaded = all(port == "output" for _, _, port, _, _ in mine)
    out = {}
    for call in mine:
        op, order, port, parameter, dtype = call
        for name in other_ops(op, FILES[golden][0]):
            orders = [o for (n, o), k in their_numbers.items()
                      if n == name and k == my_numbers[op, order]]
            if loaded:
                orders = [order] if (name, order) in their_numbers else []
            if orders:
                break
        else:
            continue
        for same in (parameter, other_parameter(parameter)):
            found = there.get(path((name, orders[0], port, same)))
            if found:
                if may_meet(dtype, found[4]):
                    out[path(call)] = path(found)
                break
    return out
