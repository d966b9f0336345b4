// Tensors of the target that golden does not have.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

// The reasons of the pairing name the side that lacks something.
bool LacksGolden(const UnpairedTensor& tensor) {
  return tensor.side == Side::kTarget && tensor.status == "unpaired" &&
         tensor.why.find("golden") != std::string::npos &&
         !IsUsuallyMissing(tensor);
}

std::vector<Finding> Find(const Comparison& c) {
  const UnpairedTensor* first = nullptr;
  uint64_t count = 0;
  for (const UnpairedTensor& tensor : c.unpaired) {
    if (!LacksGolden(tensor)) continue;
    if (count++ == 0) first = &tensor;
  }
  if (first == nullptr) return {};
  return {{.where = first->name,
           .text = fmt::format("{} of the target {} no golden counterpart: an "
                               "error there is not seen",
                               Counted(count, "tensor"),
                               count == 1 ? "has" : "have"),
           .next = CompareCommand(c) + " --map map.csv",
           .evidence = {{"tensors", fmt::format("{}", count)},
                        {"first", first->name},
                        {"why", first->why}}}};
}

}  // namespace

extern constinit const Rule kMissingGolden = {
    .name = "missing-golden",
    .summary = "tensors of the target have no golden counterpart",
    .find = Find,
};

}  // namespace assay
