// The machine contract: one `assay.comparison/1` document, one row per line.
#include "reports/document_json.h"
#include "reports/json_text.h"
#include "reports/report.h"
#include "reports/row_json.h"

namespace assay {
namespace {

template <typename Item>
Status PrintList(std::string_view key, const std::vector<Item>& items,
                 std::string (*text)(const Item&), const Sink& sink) {
  RETURN_IF_ERROR(sink(fmt::format("\"{}\":[", key)));
  for (size_t i = 0; i < items.size(); ++i) {
    RETURN_IF_ERROR(sink((i == 0 ? "\n" : ",\n") + text(items[i])));
  }
  return sink(items.empty() ? "],\n" : "\n],\n");
}

std::string Head(const Comparison& c) {
  JsonWriter json;
  json.BeginObject().Key("schema").Text("assay.comparison/1");
  AppendVerdict(c, json);
  AppendOrigins(c, json);
  AppendCounts(c, json);
  AppendSources(c, json);
  return json.Take() + ",\n";
}

std::string Tail(const Comparison& c) {
  JsonWriter findings, run;
  AppendFindings(c, findings);
  AppendRun(c, run);
  return findings.Take() + ",\n" + run.EndObject().Take() + "\n";
}

Status Print(const Comparison& c, const ReportOptions&, const Sink& sink) {
  RETURN_IF_ERROR(sink(Head(c)));
  RETURN_IF_ERROR(PrintList("rows", c.rows, RowJson, sink));
  RETURN_IF_ERROR(PrintList("unpaired", c.unpaired, UnpairedJson, sink));
  return sink(Tail(c));
}

}  // namespace

extern constinit const Report kJsonReport = {
    .name = "json",
    .suffix = ".json",
    .summary = "one document, assay.comparison/1",
    .print = Print,
};

}  // namespace assay
