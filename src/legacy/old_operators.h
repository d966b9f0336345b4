#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/dump.h"

namespace assay {

// The tensors of a dump by operator, as msaccucmp sees a folder: the newest
// dump of each operator, its inputs before its outputs.
class OldOperators {
 public:
  explicit OldOperators(const Dump& dump);

  // `op` as a graph calls it; nothing if it was not dumped, or without tensors.
  std::span<const TensorInfo* const> Of(std::string_view op) const;
  // There is a file of it, whatever it holds.
  bool Has(std::string_view op) const;
  // Microseconds since 1970 of its dump; -1 if it says nothing.
  int64_t TimeOf(std::string_view op) const;
  // The output of an operator; null if it is not there.
  const TensorInfo* Output(std::string_view op, int32_t index) const;
  // In the order of their times.
  const std::vector<std::string>& names() const { return names_; }
  const Dump& dump() const { return dump_; }

 private:
  struct Dumped {
    std::vector<const TensorInfo*> tensors;
    int64_t time = -1;
  };
  Dumped& At(std::string_view op);
  void AddEmptyFiles();

  const Dump& dump_;
  std::unordered_map<std::string, Dumped> by_name_;
  std::vector<std::string> names_;
};

}  // namespace assay
