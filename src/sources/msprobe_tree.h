#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/dump.h"

namespace assay {

inline constexpr std::string_view kMsprobeFiles[] = {"dump.json", "debug.json"};

// A folder that one process wrote in one step. -1 stands for a level that is
// not there, or that the user chose by opening a folder below it.
struct MsprobeLeaf {
  std::string folder;  // below the root; empty for the root itself
  int32_t step = -1;
  int32_t rank = -1;
  std::vector<std::string> files;  // which of kMsprobeFiles, below the root
};

struct MsprobeTree {
  std::string root;
  std::vector<MsprobeLeaf> leaves;  // by step, then by rank
  std::vector<DumpNote> notes;      // folders of the tree without a dump
};

// [graph|pynative/][step<N>/][rank<R>|proc<P>|pid<P>/]dump.json, of which any
// part may lie above `path`; `path` may also be the file. No leaves: it is not
// a tree of msprobe.
MsprobeTree FindMsprobe(const std::string& path);

}  // namespace assay
