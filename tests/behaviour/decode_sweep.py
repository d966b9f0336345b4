"""Every type and layout of Ascend dumps, decoded here once more with NumPy alone."""
import os

import numpy as np

from ascend_files import Tensor, save, tensor

NAME = "Op.{}.1.2.1700000000000000"


def small_float(exponent, mantissa, bias, finite):
    """All 256 values of an 8-bit float; `finite`: no infinities, one NaN each sign."""
    out = []
    for code in range(256):
        sign = -1.0 if code & 0x80 else 1.0
        e, m = code >> mantissa & (1 << exponent) - 1, code & (1 << mantissa) - 1
        top = e == (1 << exponent) - 1
        if top and finite and m == (1 << mantissa) - 1 or top and not finite and m:
            out.append(np.nan)
        elif top and not finite:
            out.append(sign * np.inf)
        elif e == 0:
            out.append(sign * m / (1 << mantissa) * 2.0 ** (1 - bias))
        else:
            out.append(sign * (1 + m / (1 << mantissa)) * 2.0 ** (e - bias))
    return np.array(out)


def hifloat8(code):
    special = {0: 0.0, 0x80: np.nan, 0x6F: np.inf, 0xEF: -np.inf}
    if code in special:
        return special[code]
    sign, bits = -1.0 if code & 0x80 else 1.0, format(code & 0x7F, "07b")
    for prefix, width in (("11", 4), ("10", 3), ("01", 2), ("001", 1), ("0001", 0)):
        if bits.startswith(prefix):
            rest = bits[len(prefix):]
            field, mantissa = rest[:width], rest[width:]
            e = int("1" + field[1:], 2) * (-1 if field[0] == "1" else 1) if width else 0
            return sign * 2.0 ** e * (1 + int(mantissa, 2) / 2 ** len(mantissa))
    return sign * 2.0 ** (int(bits[4:], 2) - 23)


def type_samples():
    """{code: (bytes, elements, values)}"""
    raw = np.random.default_rng(0).integers(0, 256, 48, dtype="u1").tobytes()
    every, halves = bytes(range(256)), np.frombuffer(raw, "<f2").astype("f4")
    plain = {1: "<f4", 2: "<f2", 3: "i1", 4: "u1", 5: "<i2", 6: "<u2", 7: "<i4", 8: "<i8", 9: "<u4",
             10: "<u8", 12: "<f8", 16: "<c8", 17: "<c16", 18: "i1", 19: "<i2", 20: "<i4", 21: "u1",
             22: "<u2", 23: "<i8", 0: "i1"}
    out = {code: (raw, np.frombuffer(raw, kind)) for code, kind in plain.items()}
    flags = np.array([0, 1, 1, 0], "?")
    nibbles = np.stack([np.frombuffer(raw, "u1") & 15, np.frombuffer(raw, "u1") >> 4], 1).ravel().astype("i1")
    out.update({11: (flags.tobytes(), flags),
                27: (raw, (np.frombuffer(raw, "<u2").astype("u4") << 16).view("f4")),
                28: (raw, np.where(nibbles > 7, nibbles - 16, nibbles).astype("i1")),
                29: (raw, np.unpackbits(np.frombuffer(raw, "u1"))),
                32: (raw, halves[0::2] + 1j * halves[1::2]),
                33: (every, np.array([hifloat8(c) for c in every])),
                34: (every, small_float(5, 2, 15, False)),
                35: (every, small_float(4, 3, 7, True)),
                36: (every, np.array([np.nan if c == 255 else 2.0 ** (c - 127) for c in every]))})
    return out


def read(folder, name):
    return np.load(os.path.join(folder, NAME.format(name) + ".npy"))


def same(a, b):
    return a.shape == b.shape and a.dtype.kind == b.dtype.kind and \
        np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def check_every_type(assay, folder, _samples):
    source, out = os.path.join(folder, "in"), os.path.join(folder, "out")
    for code, (data, values) in type_samples().items():
        save(source, NAME.format(f"t{code}"), [], [Tensor(code, (len(values),), data)])
    assay.run("convert", source, "--to", "npy", "-o", out, code=0)
    wrong = [code for code, (_, values) in type_samples().items() if not same(read(out, f"t{code}"), values)]
    assert not wrong, wrong


def up(n, block):
    return -(-n // block)


def padded(x, shape):
    out = np.zeros(shape, x.dtype)
    out[tuple(slice(n) for n in x.shape)] = x
    return out


def layout_samples():
    """(layout, stored array, logical array)"""
    for dtype, c0 in (("f2", 16), ("i1", 32), ("f4", 8), ("f2", 4)):
        value = lambda shape: (np.arange(np.prod(shape)) % 127).astype(dtype).reshape(shape)
        for n, c, h, w in ((1, 1, 1, 1), (2, 35, 3, 5), (17, 16, 2, 2)):
            x, c1, n1 = value((n, c, h, w)), up(c, c0), up(n, 16)
            five = padded(x, (n, c1 * c0, h, w)).reshape(n, c1, c0, h, w).transpose(0, 1, 3, 4, 2)
            yield 12 if c0 == 4 else 3, five, x
            blocks = padded(x, (n1 * 16, c1 * c0, h, w)).reshape(n1, 16, c1, c0, h, w)
            yield 4, blocks.transpose(2, 4, 5, 0, 1, 3).reshape(c1 * h * w, n1, 16, c0), x
        for n, c, d, h, w in ((1, 5, 2, 3, 4), (2, 33, 3, 2, 2)):
            x, c1, n1 = value((n, c, d, h, w)), up(c, c0), up(n, 16)
            six = padded(x, (n, c1 * c0, d, h, w)).reshape(n, c1, c0, d, h, w).transpose(0, 3, 1, 4, 5, 2)
            yield 32, six, x
            blocks = padded(x, (n1 * 16, c1 * c0, d, h, w)).reshape(n1, 16, c1, c0, d, h, w)
            yield 33, blocks.transpose(4, 2, 5, 6, 0, 1, 3).reshape(d * c1 * h * w, n1, 16, c0), x
        for batch, h, w in (((), 5, 7), ((2,), 17, 33), ((2, 3), 16, 16)):
            x, h1, w1, k = value((*batch, h, w)), up(h, 16), up(w, c0), len(batch)
            tiles = padded(x, (*batch, h1 * 16, w1 * c0)).reshape(*batch, h1, 16, w1, c0)
            yield 29, tiles.transpose(*range(k), k + 2, k, k + 1, k + 3), x


def check_every_layout(assay, folder, _samples):
    source, out = os.path.join(folder, "in"), os.path.join(folder, "out")
    cases = list(layout_samples())
    for i, (layout, stored, logical) in enumerate(cases):
        save(source, NAME.format(f"l{i}"), [],
             [tensor(np.ascontiguousarray(stored), layout=layout, original=logical.shape)])
    assay.run("convert", source, "--to", "npy", "--layout", "host", "-o", out, code=0)
    wrong = [(i, cases[i][0], cases[i][2].shape) for i in range(len(cases))
             if not same(read(out, f"l{i}"), cases[i][2])]
    assert not wrong, wrong
