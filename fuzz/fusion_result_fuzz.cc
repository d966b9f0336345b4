#include "graphs/fusion_result.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const assay::MemoryFile file(data, size);
  const auto graphs = assay::ReadFusionResult(file.path());
  if (!graphs && graphs.error().what.empty()) abort();
  return 0;
}
