#pragma once

#include <optional>
#include <string>
#include <vector>

#include "legacy/format_scripts.h"
#include "legacy/old_arguments.h"
#include "legacy/old_array.h"

namespace assay {

// What msaccucmp convert is asked to do.
struct ConvertRequest {
  std::vector<std::string> files;  // whole paths, links followed
  bool one_file = false;           // failures go to no list
  FormatScripts scripts;           // of -c
  std::optional<OldFormat> format;
  std::string only;  // "output:0"; empty: all
  std::string type, out;
};

// Whole paths have few characters to choose from.
OldStatus CheckName(const std::string& path);

// Options are judged before paths, as the original does. Makes the folder for
// the files.
OldResult<ConvertRequest> MakeConvertRequest(const OldArguments& args);

}  // namespace assay
