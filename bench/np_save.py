#!/usr/bin/python3
"""Seconds that np.save takes for arrays which are in memory already.

usage: np_save.py LIST DIR    LIST names one npy file per line; DIR is empty
"""
import pathlib
import sys
import time

import numpy as np


def main():
    paths, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    arrays = [np.load(path) for path in paths.read_text().splitlines()]
    start = time.perf_counter()
    for index, array in enumerate(arrays):
        np.save(folder / f"{index}.npy", array)
    print(time.perf_counter() - start)


main()
