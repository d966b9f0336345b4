#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/dump.h"

namespace assay {

// One line that a dump script printed about a name too long for a file:
//   dump file name:  LONG.0.1700000000.npy  replace to  7.0.1700000000.npy
struct NameLogLine {
  std::string name, file;  // LONG..., 7...
  uint64_t number = 0;
};

// All such lines of a log; other lines are passed over. A log without any is
// an error.
Result<std::vector<NameLogLine>> ReadNameLog(const std::string& path);

// Gives tensors in files of the log their long names back; their number.
Result<uint32_t> ApplyNameLog(const std::string& path, Dump& dump);

}  // namespace assay
