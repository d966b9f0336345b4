#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dump.h"

namespace assay {

// A tensor of a dump; none: something that was not dumped.
struct TensorOf {
  const Dump* dump = nullptr;
  const TensorInfo* tensor = nullptr;
};

// One row of msit llm compare before anything is read.
struct LlmPair {
  int64_t token = 0;
  int64_t id = 0;  // counts what was looked at, also what has no row after all
  TensorOf golden, my;
  std::string golden_path, my_path;  // as the table shows them
  std::string golden_type, my_type;  // of the operators; TorchAir has none

  // The whole path of a tensor's file.
  static std::string PathOf(const TensorOf& side);
};

// What goes into one file.
struct LlmReport {
  std::optional<int32_t> rank;
  std::vector<LlmPair> pairs;
};

}  // namespace assay
