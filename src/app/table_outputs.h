#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "legacy/old_table.h"

namespace assay {

// Where the table of an old tool goes: into the files given for it, which are
// opened before the work starts; without any, to the standard output.
class TableOutputs {
 public:
  // Whether a path given with -o is meant for the table.
  static bool Takes(std::string_view path);
  static Result<TableOutputs> Open(const OldTable* table,
                                   std::span<const std::string> paths);

  bool prints() const { return table_ != nullptr && files_.empty(); }
  // Nothing happens without a table.
  Status Write(const TableRequest& request);

 private:
  Status WriteTo(OutputFile& file, const TableRequest& request);

  const OldTable* table_ = nullptr;
  std::vector<OutputFile> files_;
};

}  // namespace assay
