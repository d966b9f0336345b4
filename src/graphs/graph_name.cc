// Names that say that a file is a graph.
#include <algorithm>

#include "base/text.h"
#include "graphs/graph_kind.h"

namespace assay {
namespace {

// Takes digits off the front; false if there are none.
bool TakeDigits(std::string_view& text) {
  const size_t digits =
      std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(digits);
  return digits > 0;
}

bool Take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// ge_proto_00000005_Build.txt, ge_proto_00000005_graph_1_Build.txt
bool IsGeDump(std::string_view name, std::string_view prefix,
              std::string_view suffix) {
  return Take(name, prefix) && TakeDigits(name) && Take(name, "_") &&
         name.size() > suffix.size() && name.ends_with(suffix);
}

// dynamo_original_graph_1_rank_0_pid_20_ts_20251010093825327878.txt
bool IsTorchAir(std::string_view name) {
  const bool dynamo = Take(name, "dynamo_original_graph_") ||
                      Take(name, "dynamo_optimized_graph_");
  return dynamo && TakeDigits(name) &&
         (name.ends_with(".txt") || name.ends_with(".pbtxt"));
}

}  // namespace

bool HasGraphName(std::string_view file_name) {
  const std::string name = Lower(file_name);
  return IsGeDump(name, "ge_proto_", ".txt") ||
         IsGeDump(name, "ge_onnx_", ".pbtxt") || IsTorchAir(name) ||
         (name.ends_with(".om") && name.size() > 3);
}

}  // namespace assay
