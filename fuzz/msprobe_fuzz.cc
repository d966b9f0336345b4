#include "memory_file.h"
#include "sources/msprobe_json.h"
#include "sources/msprobe_name.h"

// Stops the fuzzer if names need far more memory than the file has bytes, if a
// shape has no count, or if an error says nothing.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const assay::MemoryFile file(data, size);
  const assay::MsprobeDump dump = assay::ReadMsprobe(file.path());
  size_t names = 0;
  for (const assay::MsprobeTensor& tensor : dump.tensors) {
    names += tensor.entry.size() + tensor.place.size();
    (void)assay::ParseMsprobeName(tensor.entry, tensor.place);
    (void)assay::MsprobeDType(tensor.dtype);
    if (!assay::ElementCount(tensor.shape)) abort();
  }
  if (names > 4 * size) abort();
  if (dump.error && (dump.error->what.empty() || dump.error->file.empty())) {
    abort();
  }
  return 0;
}
