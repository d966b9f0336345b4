#include "list_bytes.h"

// The first byte picks the type: with raw values that is all there is to it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto types = assay::AllDTypes();
  const assay::CodecHints hints{.dtype = types[data[0] % types.size()].type};
  assay::ListBytes("raw", data + 1, size - 1, hints);
  return 0;
}
