// A rule whose originals are not the golden side's operators, but lead there
// through another graph.
#include <algorithm>
#include <set>
#include <unordered_set>

#include "pairing/fusion_rule.h"

namespace assay {
namespace {

std::vector<std::string> Distinct(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) out.push_back(name);
  }
  return out;
}

}  // namespace

void FusionRule::ThroughQuantisation(const FusionRule& quant) {
  for (RuleOp& op : ops_) {
    std::vector<std::string> originals;
    for (const std::string& original : op.originals) {
      const RuleOp* in_quant = quant.Find(original);
      if (in_quant == nullptr) continue;
      for (const uint32_t member : quant.GroupOf(*in_quant).ops) {
        const auto& more = quant.ops_[member].originals;
        originals.insert(originals.end(), more.begin(), more.end());
      }
    }
    if (!originals.empty()) op.originals = Distinct(originals);
    std::vector<RuleTensor> outputs;
    for (const RuleTensor& t : op.outputs) {
      const RuleOp* in_quant = quant.Find(t.origin);
      if (t.origin.empty() || in_quant == nullptr) continue;
      const auto k = static_cast<size_t>(std::max(t.index, 0));
      RuleTensor found =
          k < in_quant->outputs.size() ? in_quant->outputs[k] : RuleTensor{};
      if (!t.layout.empty()) {
        found.layout = t.layout;
        found.shape = t.shape;
      }
      found.dtype = t.dtype;
      outputs.push_back(std::move(found));
    }
    if (!outputs.empty()) op.outputs = std::move(outputs);
  }
  Group();
  IndexNames();
}

const std::string* FusionRule::OpMadeOf(const std::string& original) const {
  const auto found = by_original_.find(original);
  return found == by_original_.end() ? nullptr : &ops_[found->second].name;
}

// Of operators with one original, one is compared: the first of the last group.
// Otherwise an unfused tensor would stand against several.
void FusionRule::DropRepeated(const FusionRule& off) {
  std::set<std::string> originals, used;
  std::set<uint32_t> groups;
  for (size_t i = ops_.size(); i-- > 0;) {
    if (!groups.insert(ops_[i].group).second) continue;
    for (const uint32_t member : groups_[ops_[i].group].ops) {
      RuleOp& op = ops_[member];
      const std::string* unfused = off.OpMadeOf(op.originals[0]);
      op.dropped = originals.contains(op.originals[0]) ||
                   (unfused != nullptr && used.contains(*unfused));
      if (op.dropped) continue;
      originals.insert(op.originals[0]);
      if (unfused != nullptr) used.insert(*unfused);
    }
  }
  for (RuleGroup& group : groups_) {
    std::erase_if(group.ops, [&](uint32_t i) { return ops_[i].dropped; });
  }
}

void FusionRule::AgainstUnfused(const FusionRule& off) {
  DropRepeated(off);
  for (RuleOp& op : ops_) {
    std::vector<std::string> unfused_ops;
    for (const std::string& original : op.originals) {
      if (const auto* unfused = off.OpMadeOf(original)) {
        unfused_ops.push_back(*unfused);
      }
    }
    if (!op.IsInserted()) op.originals = Distinct(unfused_ops);
    for (RuleTensor& t : op.outputs) {
      const std::string* unfused = off.OpMadeOf(t.origin);
      if (t.origin.empty() || unfused == nullptr) continue;
      const std::string original = t.origin;
      t.origin = *unfused;
      for (const uint32_t member : off.GroupOf(*off.Find(*unfused)).ops) {
        const auto& outputs = off.ops_[member].outputs;
        const auto same = [&](const RuleTensor& o) {
          return o.origin == original && o.index == t.index;
        };
        const auto found = std::find_if(outputs.begin(), outputs.end(), same);
        if (found == outputs.end()) continue;
        t.index = static_cast<int32_t>(found - outputs.begin());
        break;
      }
    }
  }
  IndexNames();
}

}  // namespace assay
