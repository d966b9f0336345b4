// compare_result.log of dump_tools.py. Two folders: its compare_dir and the
// device's outputs; with --noise that one is compare_dir, and golden
// golden_dir.
#include "legacy/old_table.h"
#include "legacy/teco_log.h"

namespace assay {
namespace {

Result<TecoResult> Compared(const TableRequest& request) {
  const CompareOptions& options = request.options;
  const bool three = !options.noise.empty();
  TecoFolders folders = {.device = options.target,
                         .compare = three ? options.noise : options.golden,
                         .golden = three ? options.golden : "",
                         .tag = options.judge.noise_factor};
  return CompareTeco(folders);
}

Result<std::string> Text(const TableRequest& request) {
  ASSIGN_OR_RETURN(const TecoResult result, Compared(request));
  return TecoLog(result);
}

Result<std::vector<Sheet>> Sheets(const TableRequest& request) {
  ASSIGN_OR_RETURN(const TecoResult result, Compared(request));
  return TecoSheets(result);
}

}  // namespace

extern constinit const OldTable kTecoTable = {
    .name = "teco",
    .summary = "compare_result.log of dump_tools.py",
    .group = nullptr,
    .text = Text,
    .sheets = Sheets,
};

}  // namespace assay
