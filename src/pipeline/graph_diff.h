#pragma once

#include <string>
#include <vector>

#include "core/graph.h"

namespace assay {

// One thing in which two operators of one name differ.
struct GraphChange {
  std::string what;  // "type", "input 0 dtype", "outputs"
  std::string a, b;  // empty: nothing there
};

struct ChangedOperator {
  uint32_t a = 0, b = 0;  // into Graph::operators of each
  std::vector<GraphChange> changes;
};

// How two graphs of one network differ.
struct GraphDiff {
  std::vector<uint32_t> only_a, only_b;
  std::vector<ChangedOperator> changed;
  size_t same_name = 0;  // operators that both have
  // Of those, the ones that compute: neither conversions, nor variables and
  // constants, nor what only orders and passes on.
  size_t judged = 0;
  size_t equal = 0;  // of the judged: same types, dtypes and layouts

  bool Different() const {
    return !only_a.empty() || !only_b.empty() || !changed.empty();
  }
  // Percent of the judged operators that are equal; 100 if there are none.
  double Similarity() const;
};

GraphDiff DiffGraphs(const Graph& a, const Graph& b);

}  // namespace assay
