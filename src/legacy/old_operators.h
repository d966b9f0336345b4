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

  // `op` as a graph calls it; nothing if it was not dumped.
  std::span<const TensorInfo* const> Of(std::string_view op) const;
  // The output of an operator; null if it is not there.
  const TensorInfo* Output(std::string_view op, int32_t index) const;
  // In the order of their times.
  const std::vector<std::string>& names() const { return names_; }
  const Dump& dump() const { return dump_; }

 private:
  const Dump& dump_;
  std::unordered_map<std::string, std::vector<const TensorInfo*>> by_name_;
  std::vector<std::string> names_;
};

// Microseconds since 1970 of an operator's dump.
int64_t TimeOf(std::span<const TensorInfo* const> tensors);

}  // namespace assay
