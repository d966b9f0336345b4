"""Further outputs, and a single run that gives them all."""
import common

out = common.folder()

model = common.model()
model.mark("relu1", "gate")
dump = model.dump_once(out / "once")
for name in dump:
    print(name, dump[name].shape)
