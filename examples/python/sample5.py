"""Small tools: names, who makes and who uses a tensor, cutting, marking, saving, random data."""
import common

out = common.folder()

model = common.model()
print("inputs ", model.inputs())
print("outputs", model.outputs())
print("taps   ", model.taps())
print("relu1 is made by", model.maker("relu1"), "and used by", model.users("relu1"))

model.extract(outputs=["gated"])
model.mark("relu1")
out.mkdir(parents=True, exist_ok=True)
model.save(out / "small.onnx")
print("saved  ", common.assay.Model(out / "small.onnx").outputs())

model.set_input("x", seed=3, low=0, high=5)
dump = model.dump_once(out / "once")
drawn = dump.info["input_info"][0]
print("drawn  ", dump.inputs["x"].shape, drawn["seed"], drawn["low"], drawn["high"])
