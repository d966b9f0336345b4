#include "list_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::ListBytes("stats", data, size);
  return 0;
}
