"""A part of a model: from here on it is the model."""
import common

out = common.folder()

model = common.model()
model.extract(inputs=["relu1"], outputs=["gated"])
dump = model.dump_full(out / "part")
print(list(dump))
