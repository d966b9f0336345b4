// TorchAir: two dumps of a graph on the device, as a rule the golden one
// without fusion. Operators of one name belong together; a fused one is taken
// apart into the operators in its name.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "pairing/builder.h"
#include "pairing/names.h"
#include "pairing/op_split.h"
#include "pairing/strategy.h"
#include "pairing/torchair_sides.h"

namespace assay {
namespace {

constexpr std::string_view kFused = "AutomaticBufferFusionOp";
constexpr uint32_t kNoTensor = ~uint32_t{0};

// The tensors of two operators, place by place. kNoTensor: nothing there.
void Zip(const std::vector<uint32_t>& golden,
         const std::vector<uint32_t>& target, std::string_view what,
         const std::string& why, PairingBuilder& out) {
  for (size_t k = 0; k < std::max(golden.size(), target.size()); ++k) {
    const bool g = k < golden.size() && golden[k] != kNoTensor;
    const bool t = k < target.size();
    if (g && t) {
      out.Add(golden[k], target[k], fmt::format("{} {} {}", what, k, why));
    } else if (t) {
      out.SayTarget(target[k],
                    k < golden.size()
                        ? fmt::format("the golden operator was not dumped")
                        : fmt::format("the golden has only {} here",
                                      Counted(golden.size(), what)));
    } else if (g) {
      out.SayGolden(golden[k], fmt::format("the target has only {} here",
                                           Counted(target.size(), what)));
    }
  }
}

// A file that cannot be read stands for every tensor of the other side.
bool ZipUnreadable(const OpTensors& golden, const OpTensors& target,
                   PairingBuilder& out) {
  constexpr std::string_view kWhy = "the file that should hold it";
  const auto all = [](const OpTensors& op) {
    std::vector<uint32_t> list = op.inputs;
    for (const auto* more : {&op.outputs, &op.whole}) {
      list.insert(list.end(), more->begin(), more->end());
    }
    return list;
  };
  if (golden.whole.empty() && target.whole.empty()) return false;
  const auto theirs = all(golden), mine = all(target);
  const bool many_golden = golden.whole.empty();
  for (const uint32_t i : many_golden ? theirs : mine) {
    const uint32_t other = many_golden ? mine.front() : theirs.front();
    out.Add(many_golden ? i : other, many_golden ? other : i,
            std::string(kWhy));
  }
  return true;
}

class TokenPair {
 public:
  TokenPair(const Dump& golden, const Dump& target, const Graph* graph,
            PairingBuilder& out)
      : golden_(golden), target_(target), graph_(graph), out_(out) {}

  void Run(const OpTable& theirs, const OpTable& mine) {
    theirs_ = &theirs;
    const std::optional<OpSplit> split = MakeSplit(theirs, mine);
    for (const OpTensors& op : mine.all()) {
      const std::string_view name = target_.names[op.op];
      const bool fused = target_.names[op.type].starts_with(kFused);
      const OpTensors* same = Find(name);
      // Both may be fused alike: then the name says it all.
      if (fused && split && same == nullptr) {
        PairFused(op, split->Members(name));
      } else if (same == nullptr) {
        SayAll(op, "the golden has no operator of this name");
      } else if (!ZipUnreadable(*same, op, out_)) {
        Zip(same->inputs, op.inputs, "input", "of the same operator", out_);
        Zip(same->outputs, op.outputs, "output", "of the same operator", out_);
      }
    }
  }

 private:
  std::optional<OpSplit> MakeSplit(const OpTable& theirs,
                                   const OpTable& mine) const {
    if (graph_ == nullptr) return std::nullopt;
    std::vector<std::string_view> dumped;
    for (const OpTensors& op : mine.all()) {
      dumped.push_back(target_.names[op.op]);
    }
    for (const OpTensors& op : theirs.all()) {
      dumped.push_back(golden_.names[op.op]);
    }
    return OpSplit(*graph_, dumped);
  }

  const OpTensors* Find(std::string_view name) const {
    const NameId id = golden_.names.Find(name);
    return id == kNoName ? nullptr : theirs_->Find(id);
  }
  const OpTensors* Find(const Operator& op) const {
    return Find(NormalName(op));
  }
  std::string NormalName(const Operator& op) const {
    return Normalised(graph_->Text(op.name));
  }

  void SayAll(const OpTensors& op, std::string_view why) {
    for (const auto* list : {&op.inputs, &op.outputs, &op.whole}) {
      for (const uint32_t t : *list) out_.SayTarget(t, why);
    }
  }

  // What goes in from outside, and what the last one gives.
  void PairFused(const OpTensors& op,
                 const std::vector<const Operator*>& members) {
    if (members.empty()) {
      return SayAll(op, "no operator of the graph is in its name");
    }
    std::set<NameId> inside;
    for (const Operator* member : members) inside.insert(member->name);
    std::vector<uint32_t> inputs;
    const OpTensors* last = nullptr;
    for (const Operator* member : members) {
      const OpTensors* dumped = Find(*member);
      AddOuterInputs(*member, dumped, inside, inputs);
      if (dumped != nullptr) last = dumped;
    }
    if (last == nullptr) {
      return SayAll(op, fmt::format("the golden has none of the {} in it",
                                    Counted(members.size(), "operator")));
    }
    const std::string parts =
        fmt::format("of {} fused operators", members.size());
    Zip(inputs, op.inputs, "input", parts, out_);
    Zip(last->outputs, op.outputs.empty() ? op.whole : op.outputs, "output",
        parts, out_);
  }

  // A member without a dump keeps the places of its inputs.
  void AddOuterInputs(const Operator& member, const OpTensors* dumped,
                      const std::set<NameId>& inside,
                      std::vector<uint32_t>& inputs) {
    std::vector<GraphEdge> edges;
    for (const GraphEdge& edge : member.inputs) {
      if (edge.IsData()) edges.push_back(edge);
    }
    const size_t count =
        dumped ? std::min(edges.size(), dumped->inputs.size()) : edges.size();
    for (size_t k = 0; k < count; ++k) {
      if (inside.contains(edges[k].op)) {
        if (dumped) out_.SayGolden(dumped->inputs[k], kInner);
        continue;
      }
      inputs.push_back(dumped ? dumped->inputs[k] : kNoTensor);
    }
    if (dumped == nullptr) return;
    for (const uint32_t g : dumped->outputs) out_.SayGolden(g, kInner);
  }

  static constexpr std::string_view kInner =
      "inside an operator that the target fused";

  const Dump &golden_, &target_;
  const Graph* graph_;
  PairingBuilder& out_;
  const OpTable* theirs_ = nullptr;
};

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  const bool fits = golden.kind == "torchair-ge" &&
                    target.kind == "torchair-ge" && options.map_file.empty() &&
                    options.renames.empty();
  return fits ? "both sides are TorchAir graphs on the device" : "";
}

// How many operators two groups share.
size_t CountCommon(const Dump& golden, const GraphGroup& theirs,
                   const Dump& target, const GraphGroup& mine) {
  size_t count = 0;
  const OpTable& table = theirs.steps.begin()->second;
  for (const OpTensors& op : mine.steps.begin()->second.all()) {
    const NameId id = golden.names.Find(target.names[op.op]);
    count += id != kNoName && table.Find(id) != nullptr;
  }
  return count;
}

}  // namespace

TorchairSides SidesOfGe(const Dump& golden, const Dump& target) {
  TorchairSides sides = {.mine = GroupsOf(target, false),
                         .theirs = GroupsOf(golden, false)};
  const auto &mine = sides.mine, &theirs = sides.theirs;
  sides.graphs = GraphsOfGroups(target, mine);
  sides.partners = PartnersOf(
      mine, theirs,
      [&](size_t i, size_t j) {
        return mine[i].call == theirs[j].call &&
               target.names[mine[i].graph] == golden.names[theirs[j].graph];
      },
      [&](size_t i, size_t j) {
        return CountCommon(golden, theirs[j], target, mine[i]);
      });
  return sides;
}

namespace {

Result<Pairing> DoPair(const Dump& golden, const Dump& target,
                       const PairOptions& options) {
  PairingBuilder out(golden, target);
  const auto [mine, theirs, graphs, partners] = SidesOfGe(golden, target);
  for (size_t i = 0; i < mine.size(); ++i) {
    if (partners[i] == kNobody) continue;
    for (const auto& [step, table] : mine[i].steps) {
      const OpTable* token = theirs[partners[i]].At(step);
      if (token == nullptr) continue;
      TokenPair(golden, target, graphs[i], out).Run(*token, table);
    }
  }
  return out.Finish(
      options,
      [&, &mine = mine](uint32_t g) {
        return WhyAlone(golden.tensors[g].id, mine, "target",
                        "the target has no operator of this name");
      },
      [&, &theirs = theirs](uint32_t t) {
        return WhyAlone(target.tensors[t].id, theirs, "golden",
                        "the golden has no such graph");
      });
}

}  // namespace

extern constinit const Strategy kTorchairGePairing = {
    .name = "torchair-ge",
    .summary = "TorchAir: operators of one name; fused ones by their members",
    .fits = Fits,
    .pair = DoPair,
};

}  // namespace assay
