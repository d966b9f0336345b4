#include "memory_file.h"
#include "pairing/map_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const assay::MemoryFile file(data, size);
  (void)assay::ReadMap(file.path());
  return 0;
}
