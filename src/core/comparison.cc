#include "core/comparison.h"

namespace assay {

std::string_view Name(Verdict verdict) {
  static constexpr std::string_view kNames[] = {"pass",    "fail",    "unsure",
                                                "trivial", "skipped", "error"};
  return kNames[static_cast<size_t>(verdict)];
}

std::string_view Name(Cause cause) {
  static constexpr std::string_view kNames[] = {"", "origin", "inherited",
                                                "unknown"};
  return kNames[static_cast<size_t>(cause)];
}

std::string_view Name(Side side) {
  return side == Side::kGolden ? "golden" : "target";
}

}  // namespace assay
