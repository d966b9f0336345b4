#include "graph_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::ReadGraphBytes("ge-text", data, size);
  return 0;
}
