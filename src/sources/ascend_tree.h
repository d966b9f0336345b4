#pragma once

#include <string>

#include "sources/source.h"

namespace assay {

// Two dumps of one operator in one folder: which of them counts.
enum class Duplicates : uint8_t { kNewest, kLargest };

// Opens a folder that has Ascend dump files in it, at any depth:
//   TIME/DEVICE/[MODEL/][MODELID/][STEP/]file
// Of several runs (TIME) side by side the newest is read. A tensor is called
// OPERATOR:output:0; the folders say rank, graph and step. Whatever else is in
// the tree is read as in a plain folder; what was left out is noted.
Result<Dump> OpenAscendTree(const std::string& path, const OpenOptions& options,
                            Duplicates duplicates);

}  // namespace assay
