#include "legacy/probe_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/json_writer.h"
#include "legacy/msprobe_metrics.h"
#include "legacy/probe_stacks.h"
#include "sources/msprobe_tree.h"

namespace assay {
namespace {

constexpr std::string_view kStatistics[] = {"max", "min", "mean", "l2norm"};
constexpr std::string_view kHashColumns[] = {"NPU MD5", "BENCH MD5"};
constexpr std::string_view kStatisticColumns[] = {
    "Max diff",       "Min diff",       "Mean diff",       "L2norm diff",
    "MaxRelativeErr", "MinRelativeErr", "MeanRelativeErr", "NormRelativeErr"};

// The dump.json of one step of one process; empty: none.
std::string DumpFile(const MsprobeTree& tree, const MsprobeLeaf& leaf) {
  for (const std::string& file : leaf.files) {
    if (!file.ends_with("dump.json")) continue;
    return tree.root.empty() ? file : tree.root + "/" + file;
  }
  return "";
}

ProbeMode ModeOf(const ProbeItems& items) {
  if (items.has_tensors) return ProbeMode::kReal;
  return items.has_hashes ? ProbeMode::kHash : ProbeMode::kSummary;
}

// "[]", or a JSON list of texts.
std::string ErrorList(const std::vector<std::string>& messages) {
  std::string text;
  for (const std::string& message : messages) {
    if (message.empty()) continue;
    text += (text.empty() ? "" : ", ") + JsonQuoted(message);
  }
  return "[" + text + "]";
}

class ProbeSheet {
 public:
  using Metrics = std::function<std::vector<std::string>(const Row&)>;

  ProbeSheet(const TableRequest& request, const Metrics& metrics)
      : npu_(FindMsprobe(request.options.target)),
        bench_(FindMsprobe(request.options.golden)),
        metrics_(metrics) {
    for (const Row& row : request.comparison.rows) {
      rows_.emplace(row.target.front().file, &row);
    }
  }

  std::optional<Sheet> Make() {
    for (const MsprobeLeaf& leaf : npu_.leaves) {
      const auto partner =
          std::ranges::find_if(bench_.leaves, [&](const MsprobeLeaf& other) {
            return other.step == leaf.step && other.rank == leaf.rank;
          });
      if (partner == bench_.leaves.end()) continue;
      if (!AddLeaf(leaf, *partner)) return std::nullopt;
    }
    if (sheet_.rows.empty()) return std::nullopt;
    return std::move(sheet_);
  }

 private:
  bool AddLeaf(const MsprobeLeaf& leaf, const MsprobeLeaf& partner) {
    const std::string file = DumpFile(npu_, leaf);
    const auto npu = ReadProbeItems(file);
    const auto bench = ReadProbeItems(DumpFile(bench_, partner));
    if (!npu || !bench || ModeOf(*npu) != ModeOf(*bench)) return false;
    const ProbeStacks stacks = ProbeStacks::Beside(file);
    if (sheet_.rows.empty()) {
      columns_ = {ModeOf(*npu), stacks.found()};
      sheet_.rows.push_back(ProbeHeader(columns_));
    }
    const auto metrics = [&](const ProbeItem& item) {
      return MetricsOf(leaf.folder, item);
    };
    std::string last;
    for (ProbeRow& row :
         MakeProbeRows({*npu, *bench, columns_.mode, metrics})) {
      if (columns_.stacks && row.api != last) row.stack = stacks.At(row.api);
      last = row.api;
      sheet_.rows.push_back(FinishProbeRow(columns_, std::move(row)));
    }
    return true;
  }

  std::vector<std::string> MetricsOf(const std::string& folder,
                                     const ProbeItem& item) const {
    const auto found =
        rows_.find(fmt::format("{}{}dump_tensor_data/{}", folder,
                               folder.empty() ? "" : "/", item.data_name));
    if (found != rows_.end()) return metrics_(*found->second);
    return std::vector<std::string>(kMsprobeMetrics.size(), "unsupported");
  }

  const MsprobeTree npu_, bench_;
  const Metrics& metrics_;
  std::map<std::string, const Row*> rows_;  // by the device's file
  ProbeColumns columns_;
  Sheet sheet_ = {"part_0", {}};
};

}  // namespace

std::span<const std::string_view> ProbeModeColumns(ProbeMode mode) {
  if (mode == ProbeMode::kHash) return kHashColumns;
  if (mode == ProbeMode::kSummary) return kStatisticColumns;
  return kMsprobeMetrics;
}

CsvRow ProbeHeader(const ProbeColumns& columns) {
  const ProbeMode mode = columns.mode;
  CsvRow row = {"NPU Name",          "Bench Name",         "NPU Dtype",
                "Bench Dtype",       "NPU Tensor Shape",   "Bench Tensor Shape",
                "NPU Requires_grad", "Bench Requires_grad"};
  const auto own = ProbeModeColumns(mode);
  row.insert(row.end(), own.begin(), own.end());
  for (const char* side : {"NPU", "Bench"}) {
    if (mode == ProbeMode::kHash) break;
    for (const std::string_view name : kStatistics) {
      row.push_back(fmt::format("{} {}", side, name));
    }
  }
  row.insert(row.end(), {"Requires_grad Consistent", "Result", "Err_message"});
  if (columns.stacks) row.emplace_back("NPU_Stack_Info");
  if (mode == ProbeMode::kReal) row.emplace_back("Data_name");
  return row;
}

CsvRow FinishProbeRow(const ProbeColumns& columns, ProbeRow row) {
  CsvRow cells = std::move(row.cells);
  cells.insert(cells.end(),
               {row.grad_consistent, row.result, ErrorList(row.messages)});
  if (columns.stacks) cells.push_back(row.stack);
  if (columns.mode == ProbeMode::kReal) cells.push_back(row.data_name);
  return cells;
}

std::optional<Sheet> MakeProbeSheet(
    const TableRequest& request,
    const std::function<std::vector<std::string>(const Row&)>& metrics) {
  return ProbeSheet(request, metrics).Make();
}

}  // namespace assay
