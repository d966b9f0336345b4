#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/dump.h"

namespace assay {

// The tensors of one operator, in the order of their indices.
struct OpTensors {
  NameId op = kNoName, type = kNoName;
  std::vector<uint32_t> inputs, outputs;
  std::vector<uint32_t> whole;  // a file that cannot be read stands for all
};

// Operators in the order of the dump, found by name, or by name and type.
class OpTable {
 public:
  OpTensors& At(NameId op, NameId type);
  const OpTensors* Find(NameId op, NameId type = kNoName) const;
  const std::vector<OpTensors>& all() const { return all_; }
  void Sort(const Dump& dump);  // the tensors of each operator

 private:
  std::vector<OpTensors> all_;
  std::unordered_map<uint64_t, uint32_t> index_;
};

// One graph of a dump at one rank, token by token.
struct GraphGroup {
  int32_t rank = -1;
  int32_t opened_rank = -1;  // of the folder, if one rank of a dump was opened
  NameId graph = kNoName;
  int32_t call = 0;
  std::map<int32_t, OpTable> steps;

  // The operators of a token; null if it was not dumped. Who does not count
  // tokens has the same ones for all.
  const OpTable* At(int32_t step) const;
};

// Sorted by rank, graph and call. `by_type`: an operator is its name and type.
std::vector<GraphGroup> GroupsOf(const Dump& dump, bool by_type);

}  // namespace assay
