#include "app/table_outputs.h"

#include <fmt/format.h>

#include "base/text.h"

namespace assay {

bool TableOutputs::Takes(std::string_view path) {
  const std::string lower = Lower(path);
  return lower.ends_with(".csv") || lower.ends_with(".xlsx") ||
         lower.ends_with(".log");
}

Result<TableOutputs> TableOutputs::Open(const OldTable* table,
                                        std::span<const std::string> paths) {
  TableOutputs outputs;
  outputs.table_ = table;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
    outputs.files_.push_back(std::move(file));
  }
  return outputs;
}

Status TableOutputs::Write(const TableRequest& request) {
  if (table_ == nullptr) return Done{};
  if (files_.empty()) {
    ASSIGN_OR_RETURN(const std::string text, table_->text(request));
    fmt::print("{}", text);
  }
  for (OutputFile& file : files_) RETURN_IF_ERROR(WriteTo(file, request));
  return Done{};
}

Status TableOutputs::WriteTo(OutputFile& file, const TableRequest& request) {
  if (Lower(file.path()).ends_with(".xlsx")) {
    ASSIGN_OR_RETURN(const std::vector<Sheet> sheets, table_->sheets(request));
    return WriteXlsx(file, sheets);
  }
  ASSIGN_OR_RETURN(const std::string text, table_->text(request));
  RETURN_IF_ERROR(file.Append(text));
  return file.Commit();
}

}  // namespace assay
