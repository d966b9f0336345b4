// Which rows msaccucmp writes for a graph: operators that replace the same
// originals are one group with one index, inputs stand before outputs, and what
// has no dump or no golden tensor has a row that says so.
#include "legacy/msaccucmp_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "pairing/quantised_names.h"
#include "pairing/rule_sets.h"
#include "sources/dump_name.h"
#include "sources/tree.h"

namespace assay {
namespace {

using Members = std::vector<const RuleOp*>;

std::string Joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ","));
}

// The names of a group, those of the same originals side by side, and each list
// of originals once.
struct GroupNames {
  std::string my, golden;
};

GroupNames NamesOf(const Members& members) {
  std::vector<std::string> lists, names;
  for (const RuleOp* op : members) {
    std::string list = Joined(op->originals);
    if (std::ranges::find(lists, list) != lists.end()) continue;
    for (const RuleOp* other : members) {
      if (Joined(other->originals) == list) names.push_back(other->name);
    }
    lists.push_back(std::move(list));
  }
  std::string golden = Joined(lists);
  if (golden.empty() && members.size() == 1) golden = "*";
  return {Joined(names), std::move(golden)};
}

class Planner {
 public:
  explicit Planner(const RulePlan& plan) : plan_(plan) {}

  OldRows Run() {
    for (const auto& [group, op] : WantedGroups()) PlanGroup(group, *op);
    return std::move(out_);
  }

  OldRow RowOf(const RuleOp& op, const TensorInfo& t) {
    StartGroup(op.group, op);
    AddTensor(op, t);
    return std::move(out_.rows.back());
  }

 private:
  // A group is wanted with all its members if one of them is.
  std::map<uint32_t, const RuleOp*> WantedGroups() const {
    std::map<uint32_t, const RuleOp*> groups;
    for (const RuleOp& op : plan_.rule.ops()) {
      if (plan_.wanted && !plan_.wanted->contains(op.group)) continue;
      groups.emplace(op.group, &op);
    }
    return groups;
  }

  // Its members; what their rows share is known then.
  Members StartGroup(uint32_t group, const RuleOp& any) {
    Members members;
    for (const uint32_t i : plan_.rule.GroupOf(any).ops) {
      const RuleOp& op = plan_.rule.ops()[i];
      if (!op.dropped) members.push_back(&op);
    }
    GroupNames names = NamesOf(members);
    head_ = {.index = group,
             .my_ops = std::move(names.my),
             .golden_ops = std::move(names.golden)};
    return members;
  }

  void PlanGroup(uint32_t group, const RuleOp& any) {
    const Members members = StartGroup(group, any);
    if (members.empty()) return;
    if (plan_.every_member) {
      for (const RuleOp* op : members) PlanMapping(*op);
    } else if (members.size() == 1) {
      PlanSingle(*members[0]);
    } else if (!members[0]->l1.empty()) {
      PlanL1(members);
    } else {
      PlanMany(members);
    }
  }

  // What became of an operator.
  enum class Seen : uint8_t { kRows, kNothing, kBroken, kMissing };

  // A file without tensors has no line, one that cannot be read has.
  void PlanMapping(const RuleOp& op) {
    const Seen seen = PlanOp(op);
    if (seen == Seen::kRows || seen == Seen::kNothing) return;
    AddMissing(op, NoDump(op.name, op.type));
    if (seen == Seen::kBroken) out_.rows.back().my = plan_.my.Of(op.name)[0];
  }

  void PlanSingle(const RuleOp& op) {
    if (op.in_between) return;
    const Seen seen = PlanOp(op);
    if (seen == Seen::kRows) return;
    if (seen == Seen::kNothing) return AddMissing(op, "");
    AddMissing(op, NoDump(op.name, op.type));
    out_.Say(CodeOf(seen));
  }

  static OldCode CodeOf(Seen seen) {
    return seen == Seen::kMissing ? OldCode::kNoDump : OldCode::kDumpData;
  }

  // One of several operators; false: it has no row.
  bool PlanMember(const RuleOp& op) {
    const Seen seen = PlanOp(op);
    if (seen == Seen::kBroken || seen == Seen::kMissing) {
      out_.Say(CodeOf(seen));
    }
    if (seen == Seen::kMissing) return false;
    if (seen != Seen::kRows) AddMissing(op, "");
    out_.matched = true;
    return true;
  }

  void PlanMany(const Members& members) {
    std::vector<std::string> messages;
    bool any = false;
    for (const RuleOp* op : members) {
      if (op->in_between) continue;
      if (IsInner(*op)) {
        messages.push_back(fmt::format(
            "[{}] The op is inner node for multi to multi relation.Skip the "
            "op.",
            op->name));
      } else if (PlanMember(*op)) {
        any = true;
      } else {
        messages.push_back(NoDump(op->name, op->type));
      }
    }
    if (!any) AddMissing(*members[0], Joined(messages));
  }

  // Of an L1 fusion the last member is seen, and the first if it stands for
  // something else.
  void PlanL1(const Members& members) {
    Members dumped;
    for (const RuleOp* op : members) {
      if (plan_.my.Has(op->name)) dumped.push_back(op);
    }
    if (dumped.empty()) {
      AddMissing(*members[0], "The fusion operator list is empty");
      return out_.Say(OldCode::kNoDump);
    }
    std::ranges::stable_sort(dumped, {}, [&](const RuleOp* op) {
      return plan_.my.TimeOf(op->name);
    });
    Members seen = {dumped.back()};
    if (dumped.front()->originals != dumped.back()->originals) {
      seen.insert(seen.begin(), dumped.front());
    }
    std::erase_if(seen, [](const RuleOp* op) { return op->in_between; });
    for (const RuleOp* op : seen) PlanMember(*op);
    if (seen.empty()) AddMissing(*members[0], "");
  }

  void AddMissing(const RuleOp& op, std::string reason) {
    OldRow row = head_;
    row.sequence = op.id;
    row.type = op.type;
    row.op = op.name;
    row.reason = std::move(reason);
    out_.rows.push_back(std::move(row));
  }

  Seen PlanOp(const RuleOp& op) {
    if (!plan_.my.Has(op.name) ||
        (plan_.quantised && plan_.my.Output(op.name, 0) == nullptr)) {
      return Seen::kMissing;
    }
    const size_t before = out_.rows.size();
    const auto tensors = plan_.my.Of(op.name);
    if (IsBroken(tensors)) return Seen::kBroken;
    for (const TensorInfo* t : tensors) {
      const bool input = t->id.port == Port::kInput;
      const bool output = t->id.port == Port::kOutput;
      if ((!input && !output) || (input && HidesInputs(op)) ||
          (output && HidesOutputs(op))) {
        continue;
      }
      if (plan_.quantised && (input || t->id.index != 0)) continue;
      AddTensor(op, *t);
    }
    return out_.rows.size() > before ? Seen::kRows : Seen::kNothing;
  }

  void AddTensor(const RuleOp& op, const TensorInfo& t) {
    OldRow row = head_;
    row.sequence = op.id;
    row.type = op.type;
    row.op = op.name;
    row.tensor = fmt::format("{}:{}:{}", op.name, Name(t.id.port), t.id.index);
    row.my = &t;
    row.copy_of = ProducerOfSlice(op, t);
    Resolve(op, t.id, row);
    out_.rows.push_back(std::move(row));
    out_.matched = true;
  }

  // Inputs of sliced operators are shown as what their producers made.
  std::string ProducerOfSlice(const RuleOp& op, const TensorInfo& t) const {
    const auto index = static_cast<size_t>(t.id.index);
    const Dump& dump = plan_.my.dump();
    const auto name = ParseDumpName(NameIn(dump.files[t.file]));
    if (t.id.port != Port::kInput || index >= op.inputs.size() || !name ||
        !name->IsSlice()) {
      return "";
    }
    return fmt::format("{}:output:{}", op.inputs[index].first,
                       op.inputs[index].second);
  }

  void Resolve(const RuleOp& op, const TensorId& id, OldRow& row) const {
    const bool input = id.port == Port::kInput;
    if (!FindsProducers(op, id, row)) return;
    const FusionRule::Answer answer = input ? plan_.rule.Input(op, id.index)
                                            : plan_.rule.Output(op, id.index);
    if (answer.tensor != nullptr) {
      row.layout = answer.tensor->layout;
      row.logical = answer.tensor->shape;
      row.golden = plan_.golden.Output(answer.name, answer.index);
    }
    if (row.golden != nullptr) return;
    const bool dumped = answer.tensor != nullptr &&
                        IsAscend(plan_.golden.dump()) &&
                        !plan_.golden.Of(answer.name).empty();
    row.code = dumped ? OldCode::kIndex : OldCode::kNoDump;
    if (!dumped) row.reason = NoGolden(row);
    // -map looks for the file alone.
    if (dumped && plan_.every_member) {
      row.golden = plan_.golden.Of(answer.name).front();
    }
  }

  // On the way to the operator that makes a tensor, some input is not in the
  // graph, or nothing is known to make it: other reasons than a golden tensor
  // that is not there.
  bool FindsProducers(const RuleOp& op, const TensorId& id, OldRow& row) const {
    const RuleOp* at = &op;
    int32_t index = id.index;
    bool input = id.port == Port::kInput;
    for (size_t steps = 0; steps <= plan_.rule.ops().size(); ++steps) {
      const bool transparent = at->type == "Cast" || at->type == "TransData";
      if (!input && !transparent) return true;
      input = false;
      if (index < 0 || static_cast<size_t>(index) >= at->inputs.size()) {
        row.code = OldCode::kIndex;
        return false;
      }
      const auto& [name, k] = at->inputs[static_cast<size_t>(index)];
      at = plan_.rule.Find(name);
      index = k;
      if (at == nullptr || (plan_.unfused && IsForgotten(*at))) {
        row.code = OldCode::kParameter;
        row.reason =
            fmt::format("There is no \"{}\" in the fusion rule file.", name);
        return false;
      }
    }
    return true;
  }

  // Against a build without fusion, one operator of each group is known.
  bool IsForgotten(const RuleOp& op) const {
    const auto& ops = plan_.rule.GroupOf(op).ops;
    return op.dropped || &plan_.rule.ops()[ops.back()] != &op;
  }

  const RulePlan& plan_;
  OldRow head_;  // what the rows of a group share
  OldRows out_;
};

}  // namespace

std::string NoGolden(const OldRow& row) {
  return fmt::format("[{}] There is no the ground truth dump file for {}.",
                     row.op, row.tensor);
}

std::string NoDump(const std::string& op, const std::string& type) {
  return fmt::format(
      "[{}] There is no dump file for my output operator \"{}\". The type is "
      "{}.",
      op, op, type);
}

bool IsBroken(std::span<const TensorInfo* const> tensors) {
  return std::ranges::any_of(tensors, [](const TensorInfo* t) {
    return t->error() && t->error()->code != ErrorCode::kUnsupported;
  });
}

std::string WhyBroken(const std::string& path) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) != 0 || error) return "";
  return fmt::format(
      "Failed to parse dump file '{}'. The file size is zero. Please check the "
      "dump file.",
      path);
}

OldRows RowsByRule(const RulePlan& plan) { return Planner(plan).Run(); }

OldRow RowOfTensor(const RulePlan& plan, const RuleOp& op,
                   const TensorInfo& t) {
  return Planner(plan).RowOf(op, t);
}

bool IsInner(const RuleOp& op) {
  return op.multi_op && std::ranges::all_of(op.outputs, [](const auto& t) {
           return t.origin.empty();
         });
}

}  // namespace assay
