#include <cstdlib>

#include "legacy/worst_operators.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto operators = assay::ReadCosines(text, "table.csv");
  if (!operators && operators.error().what.empty()) abort();
  std::string panels;
  if (operators) assay::PrintBadOperators(*operators, 0.98, 3, panels);
  return 0;
}
