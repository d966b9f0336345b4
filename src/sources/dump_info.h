#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/shape.h"

namespace assay {

inline constexpr std::string_view kDumpInfoName = "dump_info.json";

// An input as dump_info.json describes it.
struct EarlierInput {
  std::string name;
  uint64_t seed = 42;
  double low = 0, high = 1;
  bool external = false;  // its values came from a file
  Shape shape;
};

// A tensor of it.
struct DumpedTap {
  std::string name, node, type;
  std::string file;    // below the dump's folder; empty: not said
  std::string tensor;  // its name in a file of several
  std::string error;   // why there is none
  int64_t index = -1;  // topological
};

// What `assay dump`, or the dump_tools before it, wrote about a run.
struct DumpInfo {
  std::string executor;
  std::string model;  // its file; empty: not said
  std::vector<EarlierInput> inputs;
  std::vector<DumpedTap> taps;
};

Result<DumpInfo> ReadDumpInfo(const std::string& path);
// The same from its text; `path` is for errors.
Result<DumpInfo> ParseDumpInfo(std::string_view json, const std::string& path);

}  // namespace assay
