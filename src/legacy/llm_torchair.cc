#include "legacy/llm_torchair.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pairing/fx_plan.h"
#include "pairing/op_split.h"
#include "pairing/torchair_sides.h"

namespace assay {
namespace {

constexpr std::string_view kFused = "AutomaticBufferFusionOp";
using Say = std::function<void(const std::string&)>;
using Members = std::vector<const Operator*>;

std::string FullPath(const Dump& dump, uint32_t tensor) {
  return LlmPair::PathOf({&dump, &dump.tensors[tensor]});
}

// The pairs of one token of one graph.
class Token {
 public:
  Token(const Dump& golden, const Dump& my, const Graph& graph)
      : golden_(golden), my_(my), graph_(graph) {}

  void Run(const OpTable& theirs, const OpTable& mine, int64_t& next_id) {
    theirs_ = &theirs;
    next_ = &next_id;
    split_.emplace(graph_, Dumped(mine), OpSplit::Names::kExact);
    const bool from_fx = golden_.kind == "torchair-fx";
    for (const OpTensors* op : InGraphOrder(mine)) {
      from_fx ? PairWithFx(*op) : PairWithGe(*op);
    }
  }

  std::vector<LlmPair> Take() { return std::move(pairs_); }
  std::vector<std::string> missing;  // golden operators that are not there

 private:
  // On both sides, where the golden ones are operators of the device, too.
  std::vector<std::string_view> Dumped(const OpTable& mine) const {
    std::vector<std::string_view> names;
    for (const OpTensors& op : mine.all()) names.push_back(my_.names[op.op]);
    if (golden_.kind == "torchair-fx") return names;
    for (const OpTensors& op : theirs_->all()) {
      names.push_back(golden_.names[op.op]);
    }
    return names;
  }

  // Operators that the graph does not have come first, by their files' names.
  std::vector<const OpTensors*> InGraphOrder(const OpTable& mine) const {
    std::vector<const OpTensors*> ops;
    for (const OpTensors& op : mine.all()) ops.push_back(&op);
    std::ranges::stable_sort(ops, {}, [&](const OpTensors* op) {
      return std::string_view(my_.files[FileOf(*op)]);
    });
    const auto place = [&](const OpTensors* op) {
      const Operator* known = split_->Find(my_.names[op->op]);
      return known ? known - graph_.operators.data() : -1;
    };
    std::ranges::stable_sort(ops, {}, place);
    return ops;
  }

  uint32_t FileOf(const OpTensors& op) const {
    for (const auto* all : {&op.inputs, &op.outputs, &op.whole}) {
      if (!all->empty()) return my_.tensors[all->front()].file;
    }
    return 0;
  }

  int64_t NextId() { return (*next_)++; }

  void Add(TensorOf golden, std::string golden_path, uint32_t my,
           std::string_view port, size_t k) {
    pairs_.push_back(
        {.id = NextId(),
         .golden = golden,
         .my = {&my_, &my_.tensors[my]},
         .golden_path = std::move(golden_path),
         .my_path = fmt::format("{},{},{}", FullPath(my_, my), port, k)});
  }

  // --- golden is an FX graph ---------------------------------------------

  void PairWithFx(const OpTensors& op) {
    const Members members = split_->Members(my_.names[op.op]);
    if (members.empty()) return PairWithItself(op);
    const auto before = pairs_.size();
    for (const FxTag& tag : TagsOf(graph_, *members.front(), golden_.names)) {
      const OpTensors* fx = FindFx(tag.node);
      if (fx == nullptr) continue;
      // Each tag of an operator gives the same rows; the last ones stay.
      if (members.size() == 1) pairs_.resize(before);
      Zip(fx->inputs, op.inputs, "inputs");
      if (members.size() == 1) Zip(fx->outputs, op.outputs, "outputs");
    }
    if (members.size() == 1) return;
    for (const FxTag& tag : TagsOf(graph_, *members.back(), golden_.names)) {
      const OpTensors* fx = FindFx(tag.node);
      if (fx != nullptr) Zip(fx->outputs, op.outputs, "outputs");
    }
  }

  const OpTensors* FindFx(const FxNode& node) {
    const OpTensors* found =
        node.op == kNoName ? nullptr : theirs_->Find(node.op, node.target);
    if (found == nullptr) missing.push_back(node.text);
    return found;
  }

  // Place by place; the golden ones in the order of their file names, as text.
  void Zip(std::vector<uint32_t> golden, const std::vector<uint32_t>& my,
           std::string_view port) {
    std::ranges::stable_sort(golden, {}, [&](uint32_t t) {
      return std::string_view(golden_.files[golden_.tensors[t].file]);
    });
    for (size_t k = 0; k < std::min(golden.size(), my.size()); ++k) {
      Add({&golden_, &golden_.tensors[golden[k]]}, FullPath(golden_, golden[k]),
          my[k], port, k);
    }
  }

  // A conversion that the compiler inserted: what went in is the golden side.
  void PairWithItself(const OpTensors& op) {
    const std::string_view type = my_.names[op.type];
    if (type.find("Cast") == type.npos && type.find("TransData") == type.npos) {
      return;
    }
    for (size_t k = 0; k < std::min(op.inputs.size(), op.outputs.size()); ++k) {
      const uint32_t input = op.inputs[k];
      Add({&my_, &my_.tensors[input]},
          fmt::format("{},inputs,{}", FullPath(my_, input), k), op.outputs[k],
          "outputs", k);
    }
  }

  // --- golden is a dump from the device ----------------------------------

  const OpTensors* FindGe(std::string_view name) {
    const NameId id = golden_.names.Find(name);
    return id == kNoName ? nullptr : theirs_->Find(id);
  }

  void PairWithGe(const OpTensors& op) {
    const std::string_view name = my_.names[op.op];
    if (my_.names[op.type].starts_with(kFused)) {
      return PairFused(op, split_->Members(name));
    }
    const OpTensors* same = FindGe(name);
    if (same == nullptr) {
      missing.emplace_back(name);
      return;
    }
    const size_t inputs = std::min(same->inputs.size(), op.inputs.size());
    for (size_t k = 0; k < inputs; ++k) {
      Add({&golden_, &golden_.tensors[same->inputs[k]]},
          FullPath(golden_, same->inputs[k]), op.inputs[k], "inputs", k);
    }
    PairOutputs(*same, op, inputs > 0);
  }

  // What goes in from outside, and what the last member gives.
  void PairFused(const OpTensors& op, const Members& members) {
    const std::vector<Outer> outer = OuterInputs(members);
    const size_t inputs = std::min(outer.size(), op.inputs.size());
    for (size_t k = 0; k < inputs; ++k) {
      Add(outer[k].tensor, outer[k].path, op.inputs[k], "inputs", k);
    }
    const OpTensors* last = nullptr;
    for (const Operator* member : members) {
      const OpTensors* dumped = FindMember(*member);
      if (dumped != nullptr) last = dumped;
    }
    if (last != nullptr) PairOutputs(*last, op, inputs > 0);
  }

  const OpTensors* FindMember(const Operator& member) {
    return FindGe(graph_.Text(member.name));
  }

  struct Outer {
    TensorOf tensor;  // none: the member was not dumped
    std::string path;
  };

  // Everything that the graph lists as an input counts, as in the original:
  // places that nothing is connected to, and operators that only come before.
  std::vector<Outer> OuterInputs(const Members& members) {
    std::set<NameId> inside;
    for (const Operator* member : members) inside.insert(member->name);
    std::vector<Outer> outer;
    for (const Operator* member : members) {
      const OpTensors* dumped = FindMember(*member);
      size_t count = member->inputs.size();
      if (dumped) count = std::min(count, dumped->inputs.size());
      for (size_t k = 0; k < count; ++k) {
        const NameId from = member->inputs[k].op;
        if (from != kNoName && inside.contains(from)) continue;
        outer.push_back(OuterInput(dumped, k));
      }
    }
    return outer;
  }

  Outer OuterInput(const OpTensors* dumped, size_t k) {
    if (dumped == nullptr) return {};
    const uint32_t tensor = dumped->inputs[k];
    return {{&golden_, &golden_.tensors[tensor]},
            fmt::format("{},inputs,{}", FullPath(golden_, tensor), k)};
  }

  // The places of the outputs pile up in the table, as the original writes it,
  // behind the first input's, if one was paired.
  void PairOutputs(const OpTensors& golden, const OpTensors& op,
                   bool with_inputs) {
    std::string places = with_inputs ? ",inputs,0" : "";
    for (size_t k = 0; k < std::min(golden.outputs.size(), op.outputs.size());
         ++k) {
      const uint32_t tensor = golden.outputs[k];
      places += fmt::format(",outputs,{}", k);
      Add({&golden_, &golden_.tensors[tensor]},
          FullPath(golden_, tensor) + places, op.outputs[k], "outputs", k);
    }
  }

  const Dump &golden_, &my_;
  const Graph& graph_;
  std::optional<OpSplit> split_;
  const OpTable* theirs_ = nullptr;
  int64_t* next_ = nullptr;
  std::vector<LlmPair> pairs_;
};

// The original counts through the tokens in the order of their folders' names,
// as text: 10 comes before 2.
std::vector<int32_t> TokensOf(const GraphGroup& group) {
  std::vector<int32_t> tokens;
  for (const auto& [step, table] : group.steps) tokens.push_back(step);
  std::ranges::sort(tokens, {}, [](int32_t t) { return std::to_string(t); });
  return tokens;
}

bool HasRank(const std::vector<GraphGroup>& groups, int32_t rank) {
  return std::ranges::any_of(
      groups, [&](const GraphGroup& g) { return g.rank == rank; });
}

void Append(std::vector<LlmPair> pairs, int32_t token, LlmReport& report) {
  for (LlmPair& pair : pairs) {
    pair.token = std::max(token, 0);
    report.pairs.push_back(std::move(pair));
  }
}

// One graph after the other, all tokens of each.
class Planner {
 public:
  Planner(const Dump& golden, const Dump& my, const Say& say)
      : golden_(golden), my_(my), say_(say) {}

  void Add(const GraphGroup& mine, const GraphGroup* theirs,
           const Graph& graph) {
    LlmReport report;
    if (mine.rank >= 0) report.rank = mine.rank;
    // Each rank was a process of its own, with a counter of its own.
    if (!reports.empty() && reports.back().rank != report.rank) next_id_ = 0;
    for (const int32_t step : TokensOf(mine)) {
      const OpTable* table = theirs ? theirs->At(step) : nullptr;
      if (table == nullptr) {
        say_(fmt::format("token {} has no golden data", step));
        continue;
      }
      Token token(golden_, my_, graph);
      token.Run(*table, mine.steps.at(step), next_id_);
      for (const std::string& name : token.missing) {
        say_(fmt::format("{} has no golden data in token {}", name, step));
      }
      Append(token.Take(), step, report);
    }
    reports.push_back(std::move(report));
  }

  std::vector<LlmReport> reports;

 private:
  const Dump &golden_, &my_;
  const Say& say_;
  int64_t next_id_ = 0;
};

}  // namespace

std::vector<LlmReport> PlanTorchair(const Dump& golden, const Dump& my,
                                    const Say& say) {
  const TorchairSides sides = golden.kind == "torchair-fx"
                                  ? SidesOfFx(golden, my)
                                  : SidesOfGe(golden, my);
  Planner planner(golden, my, say);
  for (size_t i = 0; i < sides.mine.size(); ++i) {
    const GraphGroup& mine = sides.mine[i];
    const size_t partner = sides.partners[i];
    const bool alone = partner == kNobody;
    // A graph without golden data has a table without rows, as the original
    // writes it for an empty folder; a rank without any has none.
    if (alone && !HasRank(sides.theirs, mine.rank)) continue;
    if (sides.graphs[i] == nullptr) continue;
    planner.Add(mine, alone ? nullptr : &sides.theirs[partner],
                *sides.graphs[i]);
  }
  return std::move(planner.reports);
}

}  // namespace assay
