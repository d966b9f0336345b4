#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "pairing/fusion_rule.h"
#include "pairing/strategy.h"

namespace assay {

// The rule of each model of a dump: the graph that was chosen for the model's
// folder, or has its name, or is the only one and was not chosen for others.
class RuleSet {
 public:
  void Add(const Graph& graph, FusionRule rule,
           std::vector<std::string> models = {});
  const FusionRule* For(std::string_view model) const;
  const FusionRule* Only() const;  // null: there are none, or several
  size_t size() const { return rules_.size(); }

 private:
  struct Entry {
    std::vector<std::string> models;  // it was chosen for
    std::vector<std::string> names;   // of the graph and its subgraphs
    FusionRule rule;
  };
  std::vector<Entry> rules_;
};

// The graph of a list that a model's folder belongs to: one of its parts is
// called like that, or the second number in both names is the same.
bool BelongsTo(std::string_view model, std::string_view graph_name);

// Pairs each tensor of the target with the golden output that its operator's
// rule names.
Result<Pairing> PairByRule(const Dump& golden, const Dump& target,
                           const RuleSet& rules, const PairOptions& options);

// Whether the operator is one that automatic fusion made.
bool IsAutoFused(std::string_view type);

}  // namespace assay
