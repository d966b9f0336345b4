"""Ranges by number or name, with steps: the first and the last are always among them."""
import common

out = common.folder()

model = common.model()
for number, (start, end, step) in enumerate([
        (None, None, 3), (2, None, 4), (None, 5, 2), (0, 4, 1), ("relu1", "gated", 2), ("gate", None, 100)]):
    dump = model.dump_range(start, end, step, folder=out / str(number))
    print(start, end, step, list(dump))
