#include "reports/elements_json.h"
#include "reports/json_reader.h"
#include "reports/row_json.h"

namespace assay {
namespace {

constexpr size_t kCauses = static_cast<size_t>(Cause::kUnknown) + 1;
constexpr size_t kErrorCodes = static_cast<size_t>(ErrorCode::kInternal) + 1;

void ReadIdentity(const JsonReader& json, Row& row) {
  row.number = json.Uint("row");
  row.name = json.Text("name");
  row.op = json.Text("op");
  row.type = json.Text("type");
  row.port = json.Text("port");
  row.index = json.Int("index");
  row.rank = json.Int("rank");
  row.step = json.Int("step");
  row.graph = json.Text("graph");
  row.call = json.Int("call").value_or(0);
  row.phase = json.Text("phase");
  row.order = json.Int("order");
  row.order_from = json.Text("order_from");
}

std::vector<Operand> ReadOperands(const std::vector<JsonReader>& list) {
  std::vector<Operand> operands;
  for (const JsonReader& json : list) {
    operands.push_back({.file = json.Text("file"),
                        .tensor = json.Text("tensor"),
                        .dtype = json.Text("dtype"),
                        .shape = json.Ints("shape"),
                        .layout = json.Text("layout")});
  }
  return operands;
}

std::optional<Floor> ReadFloor(const JsonReader& json) {
  if (!json.Has("floor")) return std::nullopt;
  const JsonReader floor = json.Object("floor");
  return Floor{.level = floor.Text("level"),
               .metric = floor.Text("metric"),
               .value = floor.Real("value"),
               .margin = floor.Real("margin")};
}

void ReadPairing(const JsonReader& json, Row& row) {
  row.golden = ReadOperands(json.Objects("golden"));
  row.target = ReadOperands(json.Objects("target"));
  row.strategy = json.Text("strategy");
  row.why_paired = json.Text("why_paired");
  row.steps = json.Texts("steps");
}

void ReadJudgement(const JsonReader& json, Row& row) {
  row.evidence = json.Text("evidence");
  row.verdict = json.Named<Verdict, kVerdicts>("verdict");
  row.cause = json.Named<Cause, kCauses>("cause");
  row.why = json.Text("why");
  row.floor = ReadFloor(json);
}

void ReadNumbers(const JsonReader& json, Row& row) {
  const JsonReader metrics = json.Object("metrics");
  for (const std::string& key : metrics.Keys()) {
    const Metric* metric = FindMetric(key);
    if (metric) row.metrics.Set(*metric, metrics.NumberAt(key));
  }
  row.worst = ReadElements(json, "worst");
}

std::shared_ptr<const Likeness> ReadLikeness(const JsonReader& json) {
  if (!json.Has("likeness")) return nullptr;
  const JsonReader likeness = json.Object("likeness");
  return std::make_shared<const Likeness>(
      Likeness{.kind = likeness.Text("kind"),
               .other = likeness.Text("other"),
               .rel_l2 = likeness.Real("rel_l2").value_or(0)});
}

std::shared_ptr<const LargeWeight> ReadWeight(const JsonReader& json) {
  if (!json.Has("weight")) return nullptr;
  const JsonReader weight = json.Object("weight");
  return std::make_shared<const LargeWeight>(
      LargeWeight{.name = weight.Text("name"),
                  .largest = weight.Real("largest").value_or(0),
                  .dtype = weight.Text("dtype"),
                  .limit = weight.Real("limit").value_or(0)});
}

std::shared_ptr<const std::vector<LegacyCells>> ReadLegacy(
    const JsonReader& json) {
  if (!json.Has("legacy")) return nullptr;
  const JsonReader legacy = json.Object("legacy");
  std::vector<LegacyCells> groups;
  for (const std::string& tool : legacy.Keys()) {
    const JsonReader cells = legacy.Object(tool);
    LegacyCells& group = groups.emplace_back(LegacyCells{.tool = tool});
    for (const std::string& name : cells.Keys()) {
      group.cells.emplace_back(name, cells.Text(name));
    }
  }
  return std::make_shared<const std::vector<LegacyCells>>(std::move(groups));
}

ErrorRef ReadError(const JsonReader& json) {
  if (!json.Has("error")) return nullptr;
  const JsonReader error = json.Object("error");
  return std::make_shared<const Error>(
      Error{.code = error.Named<ErrorCode, kErrorCodes>("code"),
            .what = error.Text("what"),
            .file = error.Text("where"),
            .hint = error.Text("hint")});
}

}  // namespace

Result<Row> RowFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(const Json value, ParseJson(text));
  std::string problem;
  const JsonReader json(value, problem);
  Row row;
  ReadIdentity(json, row);
  ReadPairing(json, row);
  ReadJudgement(json, row);
  ReadNumbers(json, row);
  row.likeness = ReadLikeness(json);
  row.weight = ReadWeight(json);
  row.legacy = ReadLegacy(json);
  row.error = ReadError(json);
  if (!problem.empty()) return Corrupt("row {}: {}", row.number, problem);
  return row;
}

}  // namespace assay
