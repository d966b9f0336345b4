#include "graphs/fusion_switch.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const assay::MemoryFile file(data, size);
  const auto passes = assay::ReadFusionSwitch(file.path());
  if (!passes && passes.error().what.empty()) abort();
  return 0;
}
