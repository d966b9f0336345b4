#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "legacy/csv_table.h"

namespace assay {

struct MindieSides {
  std::string golden;   // root.SCOPE/output*, as the framework's dump has it
  std::string my;       // the device's files
  std::string mapping;  // the folder of the two tables
};

// Whether a folder has the two tables of MindIE-Torch.
bool IsMindieMapping(const std::string& folder);

// The table of MindIE-Torch: header first, a row for each operator whose two
// tensors have one shape.
Result<std::vector<CsvRow>> CompareMindie(const MindieSides& sides);

}  // namespace assay
