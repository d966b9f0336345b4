#include "legacy/mindie_compare.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "legacy/mindie_mapping.h"
#include "legacy/msit_metrics.h"
#include "pipeline/align.h"
#include "sources/source.h"
#include "sources/tree.h"

namespace assay {
namespace {

std::string FirstFile(const std::string& folder, std::string_view begin) {
  for (const std::string& name : NamesIn(folder, EntryKind::kFile)) {
    if (name.starts_with(begin)) return fmt::format("{}/{}", folder, name);
  }
  return "";
}

std::string FileOf(const std::vector<std::string>& files, std::string_view op) {
  for (const std::string& file : files) {
    if (file.find(op) != file.npos) return file;
  }
  return "";
}

// A view points into its dump.
struct Loaded {
  std::unique_ptr<const Dump> dump;
  StoredView view;
};

// The only tensor of the framework's file, the first output of the device's.
std::optional<Loaded> ReadTensor(const std::string& path) {
  if (path.empty()) return std::nullopt;
  auto opened = OpenSource(path, {});
  if (!opened) return std::nullopt;
  auto dump = std::make_unique<const Dump>(*std::move(opened));
  for (const TensorInfo& tensor : dump->tensors) {
    if (tensor.id.port == Port::kInput || tensor.error()) continue;
    if (!HasNumbers(tensor.stored)) continue;
    StoredView view = SeePlain(*dump, tensor).view;
    return Loaded{std::move(dump), std::move(view)};
  }
  return std::nullopt;
}

// The original calls the sides by what they ran on.
std::string Renamed(std::string reason) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    const size_t at = reason.find(from);
    if (at != reason.npos) reason.replace(at, from.size(), to);
  };
  replace("golden_data", "cpu_data");
  replace("my_data", "npu_data");
  return reason;
}

CsvRow Header() {
  CsvRow row = {"Key"};
  row.insert(row.end(), kMsitMetrics.begin(), kMsitMetrics.end());
  row.emplace_back("cmp_fail_reason");
  return row;
}

}  // namespace

bool IsMindieMapping(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder + "/mindie_rt_op_mapping.json",
                                 ignored);
}

Result<std::vector<CsvRow>> CompareMindie(const MindieSides& sides) {
  ASSIGN_OR_RETURN(const auto operators, ReadMindieMapping(sides.mapping));
  const auto files = NamesIn(sides.my, EntryKind::kFile);
  std::vector<CsvRow> table = {Header()};
  for (const MindieOperator& op : operators) {
    const std::string file = FileOf(files, op.name);
    const auto my =
        ReadTensor(file.empty() ? "" : fmt::format("{}/{}", sides.my, file));
    const auto golden = ReadTensor(
        FirstFile(fmt::format("{}/root.{}", sides.golden, op.scope), "output"));
    if (!my || !golden || my->view.shape != golden->view.shape) continue;
    const MeasureJob job = {golden->view, my->view};
    ASSIGN_OR_RETURN(const MsitRow values, AskMsit(job));
    CsvRow& row = table.emplace_back(CsvRow{op.scope});
    row.insert(row.end(), values.metrics.begin(), values.metrics.end());
    row.push_back(Renamed(values.reason));
  }
  if (table.size() > 1) return table;
  return NotFound("no operator of the mapping has a tensor on both sides")
      .At(sides.my)
      .Hint(
          "golden holds root.SCOPE/output*, the other side the device's files");
}

}  // namespace assay
