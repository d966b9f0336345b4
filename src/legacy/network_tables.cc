// result_TIME.csv of msaccucmp and of msit debug, for `assay compare --table`:
// the same folders and graphs, the old tools' rows.
#include "base/parallel.h"
#include "legacy/msaccucmp_network.h"
#include "legacy/msit_debug_table.h"
#include "legacy/old_table.h"

namespace assay {
namespace {

Result<TableRows> Compared(const TableRequest& request) {
  const CompareOptions& options = request.options;
  const auto failed = [](const OldFailure& failure) {
    return Usage("{}", failure.text)
        .Hint("what msaccucmp cannot compare has no table of it");
  };
  NetworkRequest asked{.my = options.target,
                       .golden = options.golden,
                       .fusion = options.graph,
                       .close = options.golden_graph,
                       .quant = options.quant};
  auto algorithms = ChooseAlgorithms({});
  if (!algorithms) return failed(algorithms.error());
  asked.table.ask.algorithms = *std::move(algorithms);
  asked.table.ask.threads = options.measure.threads;
  Network network;
  if (auto opened = OpenNetwork(asked, network); !opened) {
    return failed(opened.error());
  }
  return FillTable(RowsOf(network), network.sides(),
                   TableOptionsOf(asked, network));
}

Result<std::string> MsaccucmpText(const TableRequest& request) {
  ASSIGN_OR_RETURN(const TableRows table, Compared(request));
  return TableText(table);
}

Result<std::string> MsitDebugText(const TableRequest& request) {
  ASSIGN_OR_RETURN(TableRows table, Compared(request));
  AddMsitColumns(table);
  return TableText(table);
}

}  // namespace

extern constinit const OldTable kMsaccucmpTable = {
    .name = "msaccucmp",
    .summary = "result_TIME.csv of msaccucmp.py",
    .group = nullptr,
    .text = MsaccucmpText,
    .sheets = nullptr,
};

extern constinit const OldTable kMsitDebugTable = {
    .name = "msit-debug",
    .summary = "the same with the three columns of msit debug compare",
    .group = nullptr,
    .text = MsitDebugText,
    .sheets = nullptr,
};

}  // namespace assay
