// The same as json, line by line: a header, one line per row, a tail.
#include "reports/document_json.h"
#include "reports/json_text.h"
#include "reports/report.h"
#include "reports/row_json.h"

namespace assay {
namespace {

std::string Head(const Comparison& c) {
  JsonWriter json;
  json.BeginObject().Key("schema").Text("assay.comparison/1");
  AppendVerdict(c, json);
  AppendOrigins(c, json);
  AppendSources(c, json);
  AppendRun(c, json);
  return json.EndObject().Take() + "\n";
}

// Verdict and exit once more: a line that says the report is complete.
std::string Tail(const Comparison& c) {
  JsonWriter json;
  json.BeginObject();
  AppendCounts(c, json);
  json.Key("unpaired").BeginArray();
  for (const UnpairedTensor& tensor : c.unpaired) {
    json.Raw(UnpairedJson(tensor));
  }
  json.EndArray();
  AppendFindings(c, json);
  AppendVerdict(c, json);
  return json.EndObject().Take() + "\n";
}

Status Print(const Comparison& c, const ReportOptions&, const Sink& sink) {
  RETURN_IF_ERROR(sink(Head(c)));
  for (const Row& row : c.rows) RETURN_IF_ERROR(sink(RowJson(row) + "\n"));
  return sink(Tail(c));
}

}  // namespace

extern constinit const Report kJsonlReport = {
    .name = "jsonl",
    .suffix = ".jsonl",
    .summary = "json, line by line: header, rows, tail",
    .print = Print,
};

}  // namespace assay
