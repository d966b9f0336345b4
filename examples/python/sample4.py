"""Another executor: all of them are called in the same way."""
import common

out = common.folder()

device = common.model(common.executor(otherwise="sdaa"))
try:
    dump = device.dump_full(out / "device", isolate=True)
except common.assay.AssayError as error:
    raise SystemExit(f"{device.executor} cannot run here:\n{error}") from None
print(len(dump), "tensors; ran:", dump.info["assay"]["executor"]["facts"])
