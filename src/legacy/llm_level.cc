#include "legacy/llm_level.h"

#include <algorithm>
#include <set>
#include <string>

namespace assay {
namespace {

std::string_view OperatorOf(const LlmRow& row) {
  const TensorOf& my = row.pair.my;
  return my.dump->names[my.tensor->id.op];
}

// Every operator that has another one below it.
std::set<std::string_view> Parents(const std::vector<LlmRow>& rows) {
  std::set<std::string_view> parents;
  for (const LlmRow& row : rows) {
    const std::string_view name = OperatorOf(row);
    for (size_t at = name.rfind('/'); at != name.npos && at > 0;
         at = name.rfind('/', at - 1)) {
      parents.insert(name.substr(0, at));
    }
  }
  return parents;
}

}  // namespace

std::vector<LlmRow> RowsOfLevel(const std::vector<LlmRow>& rows,
                                std::string_view level) {
  const auto parents = Parents(rows);
  const auto level_of = [&](std::string_view name) -> std::string_view {
    if (std::ranges::count(name, '/') == 1) return "layer";
    return parents.contains(name) ? "module" : "api";
  };
  std::vector<LlmRow> kept;
  for (const LlmRow& row : rows) {
    if (level_of(OperatorOf(row)) == level) kept.push_back(row);
  }
  return kept;
}

}  // namespace assay
