// A weight that the target's type cannot hold: a variance of 2e7 is infinite in
// float16, and dividing by its root leaves nothing, not even an infinity.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

bool HasWeight(const Row& row) { return row.weight != nullptr; }

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, HasWeight)) {
    const LargeWeight& weight = *row->weight;
    const std::string largest = RoundedText(weight.largest);
    const std::string limit = RoundedText(weight.limit, 5);
    found.push_back(
        {.where = row->name,
         .text = fmt::format(
             "its weight {} has values up to {}, beyond {}, the largest of {}: "
             "keep {} in float32",
             weight.name, largest, limit, weight.dtype, row->op),
         .next = ShowCommand(row->name),
         .evidence = {{"weight", weight.name},
                      {"largest", largest},
                      {"limit", limit},
                      {"dtype", weight.dtype}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kWeightOverflow = {
    .name = "weight-overflow",
    .summary = "a weight of the operator does not fit into the target's type",
    .find = Find,
};

}  // namespace assay
