#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "pairing/builder.h"
#include "pairing/fx_plan.h"
#include "pairing/torchair_groups.h"

namespace assay {

// Pairs a compiled graph with the FX graph it came from. Outputs have tags in
// the graph. Inputs have none: the k-th argument of the FX node stands against
// the k-th input of the operator.
class FxGraphPair {
 public:
  FxGraphPair(const Dump& golden, const Dump& target, const Graph& graph,
              PairingBuilder& out)
      : golden_(golden), target_(target), graph_(graph), out_(out) {}

  void Run(const GraphGroup& mine, const GraphGroup& theirs);

 private:
  const OpTensors* Find(const FxNode& node) const;
  void SayAll(const OpTensors& op, std::string_view why);
  void SayOutputs(const OpTensors& op, std::string_view why);
  void SayNotInGraph(const OpTensors& op);
  void SayInner(const OpTensors* fx);
  void SayInputsMissing(const OpTensors& op, const FxPlan& plan);
  void PairOperator(const OpTensors& op, const FxPlan& plan, int32_t step);
  void PairInputs(const OpTensors& op, const FxPlan& plan);
  void ZipInputs(const OpTensors& op, const FxNode& node, const OpTensors& fx,
                 const FxPlan& plan);
  void PairInput(uint32_t g, uint32_t t, size_t k, const FxNode& node,
                 const FxPlan& plan);
  void PairOutputs(const OpTensors& op, const FxPlan& plan);
  void PairTagged(const OpTensors& op, const FxTag& tag,
                  std::vector<bool>& done, std::vector<uint32_t>& used);
  void ZipOutputs(const OpTensors& op, const FxNode& node,
                  const std::vector<bool>& done,
                  const std::vector<uint32_t>& used);

  const Dump &golden_, &target_;
  const Graph& graph_;
  PairingBuilder& out_;
  const OpTable* fx_ = nullptr;               // of the token at hand
  std::unordered_map<NameId, FxPlan> plans_;  // by the operator's name
};

}  // namespace assay
