#include "graph_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::ReadGraphBytes("tensorflow", data, size);
  return 0;
}
