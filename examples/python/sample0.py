"""Every tensor of a model, with three kinds of inputs."""
import common
import numpy

out = common.folder()

model = common.model()
model.dump_full(out / "default")  # random in [0, 1), seed 42

model.set_input("x", seed=21, low=-1, high=0)
model.dump_full(out / "range")

model.set_input("x", numpy.ones((2, 4), "float32"))
dump = model.dump_full(out / "ones")

for name in dump:
    print(name, dump[name].shape, dump[name].dtype)
