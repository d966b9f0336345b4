#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/dump.h"
#include "sources/dump_name.h"

namespace assay {

// One file of a dump tree, as its name tells.
struct DumpFile {
  uint32_t file = 0;    // index into the tree's files
  uint32_t folder = 0;  // a number for its folder
  std::string_view op;  // without the marks of slices
  DumpName name;
};

// The files that hold the tensors of one operator: one, or its slices in order.
struct DumpChoice {
  std::vector<DumpFile> files;  // those to read, group after group
  std::vector<size_t> groups;   // where each group begins
  struct Dropped {
    uint32_t file = 0, instead_of_it = 0;
    bool is_summary = false;  // its values are there too
  };
  std::vector<Dropped> dropped;
};

// Several dumps of an operator in one folder: the newest is read, or the one
// that `better` prefers; of slices the newest of each.
using BetterDump = std::function<bool(const DumpFile& a, const DumpFile& b)>;
bool IsNewer(const DumpFile& a, const DumpFile& b);
DumpChoice ChooseDumps(std::vector<DumpFile> files,
                       const BetterDump& better = IsNewer);

}  // namespace assay
