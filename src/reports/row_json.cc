#include "reports/row_json.h"

#include "base/json_writer.h"
#include "reports/elements_json.h"
#include "reports/json_text.h"

namespace assay {
namespace {

using MaybeInt = std::optional<int64_t>;

void AppendMaybe(std::string_view key, MaybeInt value, JsonWriter& json) {
  json.Key(key);
  value ? json.Int(*value) : json.Null();
}

template <typename MaybeNumber>
void AppendMaybeNumber(std::string_view key, const MaybeNumber& value,
                       JsonWriter& json) {
  json.Key(key);
  value ? AppendNumber(*value, json) : static_cast<void>(json.Null());
}

void AppendIdentity(const Row& row, JsonWriter& json) {
  json.Key("row").Uint(row.number);
  json.Key("name").Text(row.name);
  json.Key("op").Text(row.op);
  json.Key("type").TextOrNull(row.type);
  json.Key("port").TextOrNull(row.port);
  AppendMaybe("index", row.index, json);
  AppendMaybe("rank", row.rank, json);
  AppendMaybe("step", row.step, json);
  json.Key("graph").TextOrNull(row.graph);
  json.Key("call").Int(row.call);
  json.Key("phase").TextOrNull(row.phase);
  AppendMaybe("order", row.order, json);
  json.Key("order_from").TextOrNull(row.order_from);
}

void AppendOperands(const std::vector<Operand>& operands, JsonWriter& json) {
  json.BeginArray();
  for (const Operand& operand : operands) {
    json.BeginObject().Key("file").Text(operand.file);
    json.Key("tensor").Text(operand.tensor);
    json.Key("dtype").TextOrNull(operand.dtype);
    json.Key("shape");
    AppendInts(operand.shape, json);
    json.Key("layout").TextOrNull(operand.layout).EndObject();
  }
  json.EndArray();
}

void AppendPairing(const Row& row, JsonWriter& json) {
  json.Key("golden");
  AppendOperands(row.golden, json);
  json.Key("target");
  AppendOperands(row.target, json);
  json.Key("strategy").TextOrNull(row.strategy);
  json.Key("why_paired").TextOrNull(row.why_paired);
  json.Key("steps").BeginArray();
  for (const std::string& step : row.steps) json.Text(step);
  json.EndArray();
}

void AppendFloor(const std::optional<Floor>& floor, JsonWriter& json) {
  json.Key("floor");
  if (!floor) {
    json.Null();
    return;
  }
  json.BeginObject().Key("level").Text(floor->level);
  json.Key("metric").TextOrNull(floor->metric);
  AppendMaybeNumber("value", floor->value, json);
  AppendMaybeNumber("margin", floor->margin, json);
  json.EndObject();
}

void AppendJudgement(const Row& row, JsonWriter& json) {
  json.Key("evidence").TextOrNull(row.evidence);
  json.Key("verdict").Text(Name(row.verdict));
  json.Key("cause").TextOrNull(Name(row.cause));
  json.Key("why").TextOrNull(row.why);
  AppendFloor(row.floor, json);
}

void AppendNumbers(const Row& row, JsonWriter& json) {
  json.Key("metrics").BeginObject();
  for (const auto& [name, value] : row.metrics.entries()) {
    AppendMaybeNumber(name, value, json);
  }
  json.EndObject();
  AppendElements("worst", row.worst, json);
}

void AppendLikeness(const Likeness& likeness, JsonWriter& json) {
  json.Key("likeness").BeginObject();
  json.Key("kind").Text(likeness.kind);
  json.Key("other").Text(likeness.other);
  json.Key("rel_l2");
  AppendNumber(likeness.rel_l2, json);
  json.EndObject();
}

void AppendWeight(const LargeWeight& weight, JsonWriter& json) {
  json.Key("weight").BeginObject().Key("name").Text(weight.name);
  json.Key("largest");
  AppendNumber(weight.largest, json);
  json.Key("dtype").Text(weight.dtype).Key("limit");
  AppendNumber(weight.limit, json);
  json.EndObject();
}

void AppendLegacy(const std::vector<LegacyCells>& groups, JsonWriter& json) {
  json.Key("legacy").BeginObject();
  for (const LegacyCells& group : groups) {
    json.Key(group.tool).BeginObject();
    for (const auto& [name, text] : group.cells) json.Key(name).Text(text);
    json.EndObject();
  }
  json.EndObject();
}

void AppendError(const Error& error, JsonWriter& json) {
  json.Key("error").BeginObject();
  json.Key("code").Text(Name(error.code));
  json.Key("what").Text(error.what);
  json.Key("where").TextOrNull(error.Where());
  json.Key("hint").TextOrNull(error.hint).EndObject();
}

}  // namespace

std::string RowJson(const Row& row) {
  JsonWriter json;
  json.BeginObject();
  AppendIdentity(row, json);
  AppendPairing(row, json);
  AppendJudgement(row, json);
  AppendNumbers(row, json);
  if (row.likeness) AppendLikeness(*row.likeness, json);
  if (row.weight) AppendWeight(*row.weight, json);
  if (row.legacy) AppendLegacy(*row.legacy, json);
  if (row.error) AppendError(*row.error, json);
  return json.EndObject().Take();
}

}  // namespace assay
