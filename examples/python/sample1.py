"""The inputs of an earlier dump: drawn again from its record, or read from its files."""
import common
import numpy

out = common.folder()

first = common.model()
first.set_input("x", seed=7, low=-2, high=2)
golden = first.dump_full(out / "first")

drawn = common.model()
drawn.inputs_from(out / "first/dump_info.json")
read = common.model()
read.inputs_from(out / "first/inputs")

for name, model in (("drawn", drawn), ("read", read)):
    again = model.dump_full(out / name)
    print(name, all(numpy.array_equal(golden[tensor], again[tensor]) for tensor in golden))
