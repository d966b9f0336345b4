#include "memory_file.h"
#include "pairing/name_log.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const assay::MemoryFile file(data, size);
  (void)assay::ReadNameLog(file.path());
  return 0;
}
