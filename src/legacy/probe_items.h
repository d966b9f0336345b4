#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace assay {

// A value of dump.json as Python prints it.
struct ProbeValue {
  enum Kind : uint8_t { kOther, kWhole, kReal };
  std::string text = "None";
  Kind kind = kOther;
};

// A tensor or a number of a call: one row of msprobe's table.
struct ProbeItem {
  enum State : uint8_t { kInput, kParameter, kOutput, kGradient };
  std::string name;  // "Functional.linear.0.forward.input.0"
  std::string api;   // "Functional.linear.0.forward"
  std::string key;   // the name with its backward pass counted anew
  State state = kInput;
  std::string dtype = "None", shape = "None";
  std::string grad = "N/A", md5 = "N/A", data_name = "-1";
  std::array<ProbeValue, 4> statistics;  // max, min, mean, l2norm
};

struct ProbeItems {
  std::vector<ProbeItem> items;  // in the order of the table
  bool has_tensors = false;      // task: the values were dumped
  bool has_hashes = false;
};

// All of a dump.json.
Result<ProbeItems> ReadProbeItems(const std::string& path);

}  // namespace assay
