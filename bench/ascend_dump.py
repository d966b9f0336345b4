"""Ascend dump files as NumPy writes them: header, then one block per tensor."""
import numpy as np

ND, NCHW, NC1HWC0, FRACTAL_NZ = 2, 0, 3, 29  # numbers of the format field
FLOAT16 = 2


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    """A varint or, for bytes, a field with a length."""
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def shape_field(number, shape):
    dims = b"".join(varint(dim) for dim in shape)
    return field(number, field(1, dims))


def output_field(layout, stored, original, size):
    output = field(1, FLOAT16) + field(2, layout) + shape_field(3, stored)
    return field(3, output + field(6, size) + shape_field(7, original))


def dump_bytes(array, layout, original):
    """The file of one float16 output."""
    header = field(1, b"2.0") + output_field(layout, array.shape, original, array.nbytes)
    return len(header).to_bytes(8, "little") + header + array.tobytes()


def pad(array, multiples):
    widths = [(0, -size % block) for size, block in zip(array.shape, multiples)]
    return np.pad(array, widths)


def to_nc1hwc0(array):
    n, _, h, w = array.shape
    padded = pad(array, (1, 16, 1, 1))
    return padded.reshape(n, -1, 16, h, w).transpose(0, 1, 3, 4, 2).copy()


def to_fractal_nz(array):
    padded = pad(array, (16, 16))
    blocks = padded.reshape(padded.shape[0] // 16, 16, -1, 16)
    return blocks.transpose(2, 0, 1, 3).copy()


PACKERS = {
    ND: lambda array: array,
    NC1HWC0: to_nc1hwc0,
    FRACTAL_NZ: to_fractal_nz,
}
