#include <cstdlib>

#include "pipeline/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* path : {"config.py", "assay.toml"}) {
    const auto config = assay::ParseConfig(text, path);
    if (!config && config.error().what.empty()) abort();
  }
  return 0;
}
