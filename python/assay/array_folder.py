"""A folder of arrays, named as the comparison tools want them.

    NODE.INDEX.MICROSECONDS.npy      '/' in NODE replaced by '_'

No two arrays get one name. A name too long for a disk becomes a number, and mapping.csv says what it stands for.
"""
import os
import time

import numpy

LONGEST = 210
MAPPING = "mapping.csv"


class ArrayFolder:
    def __init__(self, path):
        self.path = path
        self._used = set()
        self._next_number = 0
        os.makedirs(path, exist_ok=True)

    def save(self, tensor, array, micros=None):
        """Saves an array of the tensor "scope/node:0"; the name of its file."""
        micros = int(time.time() * 1e6) if micros is None else micros
        node, colon, index = tensor.rpartition(":")
        if not colon or not index.isdigit():
            node, index = tensor, "0"
        name = self._free(node.replace("/", "_").replace(":", "_") + "." + index, micros)
        if len(name) > LONGEST:
            name = self._shortened(name, index, micros)
        numpy.save(os.path.join(self.path, name), array, allow_pickle=False)
        return name

    def _free(self, stem, micros):
        while True:
            name = "{}.{}.npy".format(stem, micros)
            if name not in self._used and not self._exists(name):
                self._used.add(name)
                return name
            micros += 1

    def _exists(self, name):
        return len(name) <= LONGEST and os.path.exists(os.path.join(self.path, name))

    def _shortened(self, original, index, micros):
        while True:
            name = "{}.{}.{}.npy".format(self._next_number, index, micros)
            self._next_number += 1
            if name not in self._used and not self._exists(name):
                break
        self._used.add(name)
        with open(os.path.join(self.path, MAPPING), "a") as mapping:
            mapping.write("{},{}\n".format(name, original))
        return name
