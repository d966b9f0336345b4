"""Files of torch.save: every type, views, containers, and what is refused."""
import collections

import torch
from values import expect_equal_to_itself, expect_same, converted, members

READ = (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8, torch.int16,
        torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64,
        torch.bool, torch.complex32, torch.complex64, torch.complex128, torch.float8_e4m3fn,
        torch.float8_e5m2, torch.float8_e8m0fnu)


def all_types():
    types = {value for value in vars(torch).values() if isinstance(value, torch.dtype)}
    return sorted(types, key=str)


def noise(dtype, *shape):
    """Every bit pattern is allowed: infinities, NaN, subnormal numbers."""
    generator = torch.Generator().manual_seed(11)
    count = int(torch.Size(shape).numel())
    raw = torch.randint(0, 256, (count * dtype.itemsize,), dtype=torch.uint8, generator=generator)
    if dtype == torch.bool:
        raw &= 1
    return raw.view(dtype).reshape(shape)


def saved(folder, name, value, **options):
    path = folder / f"{name}.pt"
    torch.save(value, path, **options)
    return path


def flat(value, path=""):
    """name: tensor, by the names that assay gives."""
    if isinstance(value, torch.Tensor):
        return {path: value}
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    else:
        return {}
    found = {}
    for key, item in items:
        found |= flat(item, f"{path}.{key}" if path else str(key))
    return found


def expect_container(assay, folder, name, value, **options):
    path = saved(folder, name, value, **options)
    arrays, tensors = members(assay, path, folder / "out"), flat(value)
    assert arrays.keys() == tensors.keys(), (name, arrays.keys(), tensors.keys())
    for key, tensor in tensors.items():
        expect_same(arrays[key], tensor, f"{name}: {key}")
    expect_equal_to_itself(assay, path)


def expect_refused(assay, path, words):
    """A clear error with a hint, whatever is asked."""
    for command in (("show", path), ("convert", path, "--to", "npy", "-o", path.parent / "no")):
        done = assay.run(*command, code=2)
        assert words in done.stderr and "hint" in done.stderr, (path.name, done.stderr)


def check_types(assay, folder):
    for dtype in READ:
        tensor = noise(dtype, 4, 6)
        path = saved(folder, str(dtype), tensor)
        expect_same(converted(assay, path, folder / "out"), tensor, dtype)
        expect_equal_to_itself(assay, path)


def check_types_without_numbers(assay, folder):
    """A type that assay cannot read costs its own tensor only."""
    good = noise(torch.float32, 3)
    tried = 0
    for dtype in all_types():
        if dtype in READ or "torch.q" in str(dtype):
            continue
        try:
            path = saved(folder, str(dtype), {"good": good, "odd": noise(dtype, 2, 2)})
        except (KeyError, RuntimeError, ValueError):
            continue  # torch has no tensors of it yet
        report = expect_equal_to_itself(assay, path)
        verdicts = {row["name"].split("/")[-1]: row["verdict"] for row in report["rows"]}
        assert verdicts == {"good": "pass", "odd": "skipped"}, (dtype, verdicts)
        tried += 1
    assert tried >= 8, tried


def check_views(assay, folder):
    base = noise(torch.float32, 6, 5, 4)
    views = {
        "transposed": base.transpose(0, 2), "permuted": base.permute(1, 2, 0),
        "slice": base[2:5, 1:, ::2], "step": base[::3, ::2], "last": base[5, 4, 3:],
        "scalar": base[3, 2, 1], "empty": base[:0], "expanded": base[:, :1].expand(6, 7, 4),
        "repeated": base[0, 0, 0].expand(3, 3), "diagonal": base[0].diagonal(),
        "overlapping": base.as_strided((4, 4), (1, 2), 7), "flat": base.view(-1)[17:90],
        "channels_last": noise(torch.float16, 2, 3, 4, 5).to(memory_format=torch.channels_last),
        "bytes": noise(torch.uint8, 64).view(torch.int16)[3:20:2],
        "one": noise(torch.complex64, 1, 1), "turned": noise(torch.bfloat16, 3, 8).t(),
    }
    for name, view in views.items():
        path = saved(folder, name, view)
        expect_same(converted(assay, path, folder / "out"), view, name)
    expect_container(assay, folder, "shared", views)


def check_containers(assay, folder):
    x = noise(torch.float32, 3, 4)
    parts = {"a": x, "b": x[1], "n": 3, "s": "text", "none": None}
    nested = {"list": [x, [x.t(), {"deep": (x[0], x[:, 1])}]], "numbers": [1, 2.5, True],
              7: noise(torch.int64, 2), "empty": {}, "ordered": collections.OrderedDict(z=x, y=x[2])}
    for name, value in (("dict", parts), ("list", [x, x[0]]), ("tuple", (x, x.t())),
                        ("nested", nested)):
        expect_container(assay, folder, name, value)
    for protocol in (3, 4, 5):
        expect_container(assay, folder, f"protocol{protocol}", nested, pickle_protocol=protocol)


def check_training_state(assay, folder):
    """What people save: weights with buffers, an optimiser, parameters."""
    torch.manual_seed(3)
    model = torch.nn.Sequential(torch.nn.Conv2d(2, 3, 3), torch.nn.BatchNorm2d(3))
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.randn(2, 2, 5, 5)).sum().backward()
    optimizer.step()
    expect_container(assay, folder, "weights", model.state_dict())
    expect_container(assay, folder, "optimizer", optimizer.state_dict())
    expect_container(assay, folder, "both",
                    {"model": model.state_dict(), "optim": optimizer.state_dict(), "epoch": 3})
    expect_container(assay, folder, "parameters", list(model.parameters()))


def check_refusals(assay, folder):
    x = noise(torch.float32, 4, 4)
    quantised = torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8)
    expect_refused(assay, saved(folder, "old", x, _use_new_zipfile_serialization=False),
                  "torch before 1.6")
    expect_refused(assay, saved(folder, "conj", noise(torch.complex64, 2).conj()), "mark 'conj'")
    expect_refused(assay, saved(folder, "sparse", torch.eye(3).to_sparse()), "to_dense()")
    expect_refused(assay, saved(folder, "quantised", quantised), "dequantize()")
    expect_refused(assay, saved(folder, "meta", x.to("meta")), "no values")
    expect_refused(assay, saved(folder, "module", torch.nn.Linear(2, 2)), "no code is run")
