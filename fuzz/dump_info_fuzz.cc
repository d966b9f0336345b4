#include <cstdlib>

#include "sources/dump_info.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto info = assay::ParseDumpInfo(text, "fuzz");
  if (!info && info.error().what.empty()) abort();
  return 0;
}
