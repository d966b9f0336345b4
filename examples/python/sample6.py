"""A list of tensors, in any order; names that the model does not have are told."""
import common

out = common.folder()

model = common.model()
dump = model.dump_list(["gate", "fc1", "branch/relu"], out / "list")
print(list(dump))

try:
    model.dump_list(["gaet"], out / "typo")
except common.assay.AssayError as error:
    print(error)
