#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace assay {

// One line of a --map file: "golden,target".
struct MapLine {
  std::string golden, target;
  uint64_t number = 0;
};

// Reads a CSV of names. A first line "golden,target" is a heading; empty lines
// and lines that start with '#' are passed over; names with a comma are quoted.
Result<std::vector<MapLine>> ReadMap(const std::string& path);

}  // namespace assay
