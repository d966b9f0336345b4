#include "pairing/by_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/operator_traits.h"
#include "pairing/output_index.h"
#include "pairing/quantised_names.h"

namespace assay {
namespace {

std::vector<std::string_view> Numbers(std::string_view name) {
  std::vector<std::string_view> out;
  constexpr std::string_view kDigits = "0123456789";
  for (size_t at = 0; (at = name.find_first_of(kDigits, at)) != name.npos;) {
    const size_t end =
        std::min(name.find_first_not_of(kDigits, at), name.size());
    out.push_back(name.substr(at, end - at));
    at = end;
  }
  return out;
}

// A model built for several batch sizes has a copy of each operator for each.
std::string_view WithoutBatchMark(std::string_view name) {
  return name.substr(0, name.find("_ascend_mbatch_batch_"));
}

bool IsLike(const StoredTensor& golden, const StoredTensor& target) {
  return golden.shape == target.original.value_or(target.shape) &&
         Info(golden.dtype).kind == Info(target.dtype).kind;
}

// Where in the target a group was dumped.
using Instance = std::tuple<const RuleGroup*, int32_t, int32_t, NameId>;

// The members of an L1 fusion that were dumped first and last.
struct Ends {
  const RuleOp *oldest = nullptr, *newest = nullptr;
  int64_t begin = 0, end = 0;

  void Add(const RuleOp& op, int64_t time) {
    if (oldest == nullptr || time < begin) oldest = &op, begin = time;
    if (newest == nullptr || time > end) newest = &op, end = time;
  }
  bool Has(const RuleOp& op) const {
    return &op == newest ||
           (&op == oldest && oldest->originals != newest->originals);
  }
};

class Pairer {
 public:
  Pairer(const Dump& golden, const Dump& target, const RuleSet& rules,
         const NameRules& names)
      : golden_(golden),
        target_(target),
        rules_(rules),
        names_(names),
        shared_(SharedBy(golden, target)),
        index_(golden, names, shared_),
        used_(golden.tensors.size()) {}

  Pairing Run() {
    FindEnds();
    if (!shared_.step) FindLastSteps();
    out_.named_by_target = true;
    for (uint32_t i = 0; i < target_.tensors.size(); ++i) {
      std::string why = PairOne(i);
      if (!why.empty()) out_.target.push_back({i, std::move(why)});
    }
    ListGolden();
    return std::move(out_);
  }

 private:
  // The rule and the operator of a tensor; dumps repeat both many times.
  struct Found {
    const FusionRule* rule = nullptr;
    const RuleOp* op = nullptr;
  };
  const Found& FindOp(const TensorId& id) {
    const auto [entry, is_new] = ops_.try_emplace(std::pair(id.graph, id.op));
    if (is_new) {
      Found& found = entry->second;
      found.rule = rules_.For(target_.names[id.graph]);
      if (found.rule != nullptr) {
        found.op = found.rule->FindDumped(Normalised(target_.names[id.op]));
      }
    }
    return entry->second;
  }

  void FindEnds() {
    for (const TensorInfo& t : target_.tensors) {
      const Found& found = FindOp(t.id);
      if (found.op == nullptr || found.op->dropped || found.op->l1.empty()) {
        continue;
      }
      ends_[InstanceOf(found, t.id)].Add(*found.op, target_.TimeOf(t));
    }
  }

  // A golden side without steps is one run: the target's last step meets it.
  using Model = std::tuple<int32_t, NameId, int32_t>;
  static Model ModelOf(const TensorId& id) {
    return {id.rank, id.graph, id.call};
  }
  void FindLastSteps() {
    for (const TensorInfo& t : target_.tensors) {
      int32_t& last = last_steps_.try_emplace(ModelOf(t.id), -1).first->second;
      last = std::max(last, t.id.step);
    }
  }
  bool IsEarlierStep(const TensorId& id) const {
    const auto last = last_steps_.find(ModelOf(id));
    return last != last_steps_.end() && id.step < last->second;
  }

  static Instance InstanceOf(const Found& found, const TensorId& id) {
    return {&found.rule->GroupOf(*found.op), id.rank, id.step, id.graph};
  }

  // Why a whole operator is not compared; empty if it is.
  std::string WhyNoOp(const Found& found, const TensorId& id) const {
    if (found.rule == nullptr) return "no graph is given for its model";
    if (found.op == nullptr) return "its operator is not in the graph";
    const RuleOp& op = *found.op;
    const RuleGroup& group = found.rule->GroupOf(op);
    if (op.in_between) return "between a quantisation and its end";
    if (op.dropped) {
      return "no counterpart: another operator stands for its original";
    }
    if (group.ops.size() < 2) return "";
    if (!op.l1.empty()) {
      return ends_.at(InstanceOf(found, id)).Has(op)
                 ? ""
                 : fmt::format("inside L1 fusion {}", op.l1);
    }
    const bool inner =
        op.multi_op &&
        std::none_of(op.outputs.begin(), op.outputs.end(),
                     [](const RuleTensor& t) { return !t.origin.empty(); });
    return inner ? "inside a fusion of several operators into several" : "";
  }

  // Pairs target tensor i; the reason if it cannot.
  std::string PairOne(uint32_t i) {
    const TensorInfo& t = target_.tensors[i];
    if (!names_.Wanted(target_.NameOf(t))) {
      out_.target.push_back({i, "does not match --only", true});
      return "";
    }
    if (IsEarlierStep(t.id)) return "an earlier step, and golden has no steps";
    const Found& found = FindOp(t.id);
    if (std::string why = WhyNoOp(found, t.id); !why.empty()) return why;
    if (t.id.port == Port::kNone) return "neither an input nor an output";
    const bool input = t.id.port == Port::kInput;
    if (input && HidesInputs(*found.op)) return "quantised input";
    if (!input && HidesOutputs(*found.op) && !found.op->grid) {
      return "quantised output, and the graph gives no scale";
    }
    const Asked& asked = Ask(found, t.id);
    const FusionRule::Answer& answer = asked.answer;
    if (answer.tensor == nullptr) return answer.why_not;
    if (const auto g = GoldenOf(answer, t.id)) {
      return Take(*g, i, asked, asked.why);
    }
    if (!input && IsAutoFused(found.op->type)) {
      if (const auto guess = Guess(found, i)) {
        return Take(*guess, i, asked,
                    std::make_shared<const std::string>(fmt::format(
                        "guessed: {} has no golden tensor, and this original "
                        "fits",
                        answer.name)));
      }
    }
    return WhyMissing(answer);
  }

  std::optional<uint32_t> GoldenOf(const FusionRule::Answer& answer,
                                   const TensorId& id) const {
    const auto g = index_.Find(answer.name, answer.index, id);
    return g ? g : index_.Find(WithoutBatchMark(answer.name), answer.index, id);
  }

  // An answer serves every rank and step.
  struct Asked {
    FusionRule::Answer answer;
    TextRef why;
    std::shared_ptr<const ViewHints> hints;
  };
  const Asked& Ask(const Found& found, const TensorId& id) {
    const auto [entry, is_new] =
        answers_.try_emplace(std::tuple(found.op, id.port, id.index));
    if (!is_new) return entry->second;
    Asked& asked = entry->second;
    // A quantisation gives what it was given, in steps.
    const bool quantised = id.port == Port::kOutput && HidesOutputs(*found.op);
    asked.answer = id.port == Port::kInput || quantised
                       ? found.rule->Input(*found.op, id.index)
                       : found.rule->Output(*found.op, id.index);
    if (const RuleTensor* tensor = asked.answer.tensor) {
      asked.why = std::make_shared<const std::string>(WhyPaired(asked.answer));
      asked.hints = std::make_shared<const ViewHints>(
          ViewHints{ParseLayout(tensor->layout), tensor->shape, true,
                    quantised ? found.op->grid : nullptr});
    }
    return asked;
  }

  static std::string WhyPaired(const FusionRule::Answer& answer) {
    std::string why = fmt::format("origin name {}", answer.name);
    if (!answer.through.empty()) why += ", through " + answer.through;
    return why;
  }

  std::string WhyMissing(const FusionRule::Answer& answer) const {
    const bool weight = IsConstantType(answer.type);
    if ((weight || IsNetworkInput(answer.type)) && !index_.Has(answer.name)) {
      return fmt::format("no golden tensor: {} is {}", answer.name,
                         weight ? "a weight" : "an input of the graph");
    }
    return fmt::format("no golden tensor: {} output {} is {}", answer.name,
                       answer.index,
                       index_.Has(answer.name) ? "not there, others of it are"
                                               : "not on the golden side");
  }

  std::string Take(uint32_t g, uint32_t t, const Asked& asked, TextRef why) {
    used_[g] = true;
    out_.pairs.push_back(
        {.golden = {g}, .target = {t, asked.hints}, .why = std::move(why)});
    return "";
  }

  // An original of an automatic fusion that no output is said to hold and that
  // has the right shape and kind of numbers, if there is just one, and no other
  // output that it may be.
  std::optional<uint32_t> Guess(const Found& found, uint32_t i) {
    const TensorInfo& t = target_.tensors[i];
    const auto is_said = [&](const std::string& original) {
      return std::any_of(
          found.op->outputs.begin(), found.op->outputs.end(),
          [&](const RuleTensor& o) { return o.origin == original; });
    };
    std::optional<uint32_t> guess;
    for (const std::string& original : found.op->originals) {
      if (is_said(original)) continue;
      const auto g = index_.Find(original, 0, t.id);
      if (!g || !IsLike(golden_.tensors[*g].stored, t.stored)) continue;
      if (guess) return std::nullopt;
      guess = g;
    }
    return guess && !FitsAnother(found, i, *guess) ? guess : std::nullopt;
  }

  // The outputs of an operator stand next to each other.
  bool FitsAnother(const Found& found, uint32_t i, uint32_t golden) {
    const auto& all = target_.tensors;
    const auto is_other = [&](size_t k) {
      return all[k].id.op == all[i].id.op && all[k].file == all[i].file;
    };
    size_t first = i, end = i + 1;
    while (first > 0 && is_other(first - 1)) --first;
    while (end < all.size() && is_other(end)) ++end;
    for (size_t k = first; k < end; ++k) {
      if (k == i || all[k].id.port != Port::kOutput) continue;
      if (!IsLike(golden_.tensors[golden].stored, all[k].stored)) continue;
      const FusionRule::Answer& answer = Ask(found, all[k].id).answer;
      if (!answer.tensor || !GoldenOf(answer, all[k].id)) return true;
    }
    return false;
  }

  void ListGolden() {
    for (uint32_t g = 0; g < used_.size(); ++g) {
      if (used_[g]) continue;
      const TensorInfo& t = golden_.tensors[g];
      const bool wanted = names_.Wanted(golden_.NameOf(t));
      out_.golden.push_back(
          {g, wanted ? WhyGolden(g, t) : "does not match --only", !wanted});
    }
  }

  std::string WhyGolden(uint32_t g, const TensorInfo& t) {
    if (const uint32_t newest = index_.NewestOf(g); newest != g) {
      return fmt::format("an older dump of the same tensor; {} is newer",
                         golden_.NameOf(golden_.tensors[newest]));
    }
    if (t.id.port == Port::kInput) {
      return "an input; it is compared where it is an output";
    }
    if (fused_.empty()) IndexFused();
    const std::string name = Normalised(golden_.names[t.id.op]);
    const auto into = fused_.find(name);
    if (into == fused_.end()) return "no operator of the graph comes from it";
    if (Normalised(into->second) == name) {
      return "its operator has no dump on the target side";
    }
    return fmt::format("fused away into {}", into->second);
  }

  void IndexFused() {
    std::set<const FusionRule*> rules;
    for (const auto& [id, found] : ops_) rules.insert(found.rule);
    rules.erase(nullptr);
    for (const FusionRule* rule : rules) {
      for (const RuleOp& op : rule->ops()) {
        for (const std::string& original : op.originals) {
          if (!original.empty()) fused_[Normalised(original)] = op.name;
        }
      }
    }
    fused_[""] = "";  // not to come here again
  }

  const Dump &golden_, &target_;
  const RuleSet& rules_;
  const NameRules& names_;
  Shared shared_;
  OutputIndex index_;
  std::vector<bool> used_;  // golden tensors
  std::map<std::pair<NameId, NameId>, Found> ops_;
  std::map<Instance, Ends> ends_;
  std::map<Model, int32_t> last_steps_;
  std::map<std::tuple<const RuleOp*, Port, int32_t>, Asked> answers_;
  std::unordered_map<std::string, std::string> fused_;
  Pairing out_;
};

}  // namespace

bool BelongsTo(std::string_view model, std::string_view graph_name) {
  if (model == graph_name) return true;
  const auto a = Numbers(model), b = Numbers(graph_name);
  return a.size() == 2 && b.size() == 2 && a[1] == b[1];
}

void RuleSet::Add(const Graph& graph, FusionRule rule,
                  std::vector<std::string> models) {
  Entry entry{std::move(models), {}, std::move(rule)};
  for (const Graph::Part& part : graph.parts) {
    entry.names.emplace_back(graph.Text(part.name));
  }
  rules_.push_back(std::move(entry));
}

const FusionRule* RuleSet::For(std::string_view model) const {
  if (const FusionRule* only = Only(); only && rules_[0].models.empty()) {
    return only;
  }
  for (const auto list : {&Entry::models, &Entry::names}) {
    for (const Entry& entry : rules_) {
      const auto& names = entry.*list;
      if (std::find(names.begin(), names.end(), model) != names.end()) {
        return &entry.rule;
      }
    }
  }
  for (const Entry& entry : rules_) {
    for (const std::string& name : entry.names) {
      if (BelongsTo(model, name)) return &entry.rule;
    }
  }
  return nullptr;
}

const FusionRule* RuleSet::Only() const {
  return rules_.size() == 1 ? &rules_[0].rule : nullptr;
}

bool IsAutoFused(std::string_view type) {
  return type == "AscBackend" || type == "FusedAscBackend" ||
         type == "AscBackendNoKernelOp";
}

Result<Pairing> PairByRule(const Dump& golden, const Dump& target,
                           const RuleSet& rules, const PairOptions& options) {
  ASSIGN_OR_RETURN(const NameRules names,
                   NameRules::Make(options.only, options.renames));
  return Pairer(golden, target, rules, names).Run();
}

}  // namespace assay
