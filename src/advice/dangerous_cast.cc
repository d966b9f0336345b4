// Whole numbers where golden has fractions: a cast on the way loses them.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"

namespace assay {
namespace {

bool IsInteger(std::optional<DType> type) {
  return type && Info(*type).kind == DKind::kInteger;
}

// Golden keeps fractions, the target does not; or the cast itself is off.
bool LosesFractions(const Row& row) {
  const std::optional<DType> golden = GoldenType(row);
  if (!golden || !IsInteger(TargetType(row))) return false;
  const bool is_cast = row.type.find("Cast") != std::string::npos ||
                       row.type.find("cast") != std::string::npos ||
                       row.type.find("_to_copy") != std::string::npos;
  return Info(*golden).kind == DKind::kFloat || is_cast;
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, LosesFractions)) {
    const std::string &golden = row->golden.front().dtype,
                      &target = row->target.front().dtype;
    found.push_back(
        {.where = row->name,
         .text = fmt::format(
             "{} ({}) is {} in the target and {} in golden: the cast to whole "
             "numbers changes values by up to {}",
             row->op, row->type.empty() ? "type unknown" : row->type, target,
             golden, MetricText(*row, "max_abs")),
         .next = ShowCommand(row->name),
         .evidence = {{"golden_dtype", golden},
                      {"target_dtype", target},
                      {"max_abs", MetricText(*row, "max_abs")}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kDangerousCast = {
    .name = "dangerous-cast",
    .summary = "a cast to whole numbers loses what golden keeps",
    .find = Find,
};

}  // namespace assay
