#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/graph.h"

namespace assay {

// Which operators of a graph; what is empty lets all through.
struct OperatorFilter {
  std::string name;    // a regular expression, found anywhere in the name
  std::string type;    // part of the type
  std::string pass;    // a fusion pass, exactly
  std::string kernel;  // part of the kernel's name

  bool empty() const {
    return name.empty() && type.empty() && pass.empty() && kernel.empty();
  }
};

// Numbers of the operators that pass, in the order of the file.
Result<std::vector<uint32_t>> SelectOperators(const Graph& graph,
                                              const OperatorFilter& filter);
// What was meant by a type or pass that no operator has; empty if nothing is
// near.
std::string NearestFilter(const Graph& graph, const OperatorFilter& filter);

struct TypeCount {
  NameId type = kNoName;
  size_t count = 0;
};
// The most frequent first.
std::vector<TypeCount> CountTypes(const Graph& graph);

// Operators as the user names them: the exact name; else the same name with _
// for / and . in it; else an error that tells what comes near.
struct NamedOperators {
  std::vector<uint32_t> operators;  // several: one in each part
  bool exact = true;
};
Result<NamedOperators> FindOperators(const Graph& graph,
                                     const std::string& name);

}  // namespace assay
