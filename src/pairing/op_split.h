#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/graph.h"

namespace assay {

// Which operators of a graph a dumped name stands for. A kernel that several
// operators were fused into is called by their names, one behind another:
// "Mul_1Relu_2".
class OpSplit {
 public:
  // Dumps write '/' and '.' as '_'; msit compares the names as they stand.
  enum class Names { kNormalised, kExact };

  // `dumped`: the operators that have a dump of their own.
  OpSplit(const Graph& graph, const std::vector<std::string_view>& dumped,
          Names names = Names::kNormalised);

  // In the order of the name; empty if it does not begin with an operator of
  // the graph. The longest name counts, unless a longer beginning is a dumped
  // operator that the graph does not know.
  std::vector<const Operator*> Members(std::string_view name) const;
  const Operator* Find(std::string_view name) const;

 private:
  const Operator* Take(std::string_view& rest) const;
  std::string Key(std::string_view name) const;

  Names names_;
  std::unordered_map<std::string, const Operator*> operators_;
  std::unordered_set<std::string> strangers_;  // dumped, not in the graph
};

}  // namespace assay
