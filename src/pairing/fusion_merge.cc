// A rule whose originals are not the golden side's operators, but lead there
// through another graph.
#include <algorithm>
#include <map>
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

// A rule of a quantiser, and what the device's graph says of its tensors: the
// last layout that is said of one holds wherever it appears.
class QuantTensors {
 public:
  explicit QuantTensors(const FusionRule& rule) : rule_(rule) {}

  // Those behind an output of the device; none if its origin is not known.
  std::vector<const RuleTensor*> Behind(const RuleTensor& tensor) const {
    const RuleOp* origin = rule_.Find(tensor.origin);
    if (tensor.origin.empty() || origin == nullptr) return {};
    if (tensor.index >= 0) {
      const auto k = static_cast<size_t>(tensor.index);
      return {k < origin->outputs.size() ? &origin->outputs[k] : &kNone};
    }
    std::vector<const RuleTensor*> all;
    for (const uint32_t member : rule_.GroupOf(*origin).ops) {
      for (const RuleTensor& t : rule_.ops()[member].outputs) all.push_back(&t);
    }
    return all;
  }

  void Note(const RuleTensor& tensor) {
    if (tensor.layout.empty()) return;
    for (const RuleTensor* t : Behind(tensor)) said_[t] = &tensor;
  }

  RuleTensor As(const RuleTensor* quant, const std::string& dtype) const {
    RuleTensor out = *quant;
    const auto said = said_.find(quant);
    if (quant != &kNone && said != said_.end()) {
      out.layout = said->second->layout;
      out.shape = said->second->shape;
    }
    out.dtype = dtype;
    return out;
  }

 private:
  inline static const RuleTensor kNone;

  const FusionRule& rule_;
  std::map<const RuleTensor*, const RuleTensor*> said_;
};

std::vector<RuleTensor> Through(const QuantTensors& quant,
                                const std::vector<RuleTensor>& outputs) {
  std::vector<RuleTensor> out;
  for (const RuleTensor& t : outputs) {
    for (const RuleTensor* behind : quant.Behind(t)) {
      out.push_back(quant.As(behind, t.dtype));
    }
  }
  return out.empty() ? outputs : out;
}

std::vector<std::string> OriginalsThrough(
    const FusionRule& quant, const std::vector<std::string>& originals) {
  std::vector<std::string> out;
  for (const std::string& original : originals) {
    const RuleOp* in_quant = quant.Find(original);
    if (in_quant == nullptr) continue;
    for (const uint32_t member : quant.GroupOf(*in_quant).ops) {
      const auto& more = quant.ops()[member].originals;
      out.insert(out.end(), more.begin(), more.end());
    }
  }
  return out.empty() ? originals : Distinct(out);
}

}  // namespace

void FusionRule::ThroughQuantisation(const FusionRule& quant) {
  std::vector<uint32_t> order;  // group after group
  for (const RuleGroup& group : groups_) {
    order.insert(order.end(), group.ops.begin(), group.ops.end());
  }
  QuantTensors tensors(quant);
  for (const uint32_t i : order) {
    for (const RuleTensor& t : ops_[i].outputs) tensors.Note(t);
  }
  std::vector<std::vector<RuleTensor>> outputs;
  for (const RuleOp& op : ops_) outputs.push_back(Through(tensors, op.outputs));
  for (size_t i = 0; i < ops_.size(); ++i) {
    ops_[i].originals = OriginalsThrough(quant, ops_[i].originals);
    ops_[i].outputs = std::move(outputs[i]);
  }
  for (uint32_t i = 0; i < ops_.size(); ++i) order.push_back(i);
  Group(order, /*by_l1=*/false);
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
