#include "reports/document_json.h"

#include "reports/json_text.h"

namespace assay {
namespace {

void AppendTexts(const std::vector<std::string>& texts, JsonWriter& json) {
  json.BeginArray();
  for (const std::string& text : texts) json.Text(text);
  json.EndArray();
}

void AppendCoverage(const SideCoverage& side, JsonWriter& json) {
  json.BeginObject().Key("total").Uint(side.total);
  json.Key("compared").Uint(side.compared);
  json.Key("unpaired").Uint(side.unpaired);
  json.Key("skipped").Uint(side.skipped);
  json.Key("error").Uint(side.error).EndObject();
}

void AppendSource(const SourceLabel& label, JsonWriter& json) {
  json.BeginObject().Key("source").Text(label.source);
  json.Key("kind").TextOrNull(label.kind);
  json.Key("graph").TextOrNull(label.graph).EndObject();
}

void AppendFinding(const Finding& finding, JsonWriter& json) {
  json.BeginObject().Key("rule").Text(finding.rule);
  json.Key("rank").Int(finding.rank);
  json.Key("where").TextOrNull(finding.where);
  json.Key("text").Text(finding.text);
  json.Key("evidence").BeginObject();
  for (const auto& [key, value] : finding.evidence) json.Key(key).Text(value);
  json.EndObject();
  json.Key("next").TextOrNull(finding.next).EndObject();
}

}  // namespace

void AppendVerdict(const Comparison& c, JsonWriter& json) {
  json.Key("verdict").Text(Name(c.verdict));
  json.Key("exit").Int(c.exit);
  json.Key("why").TextOrNull(c.why);
}

void AppendOrigins(const Comparison& c, JsonWriter& json) {
  json.Key("origins");
  AppendTexts(c.origins, json);
}

void AppendCounts(const Comparison& c, JsonWriter& json) {
  json.Key("counts").BeginObject();
  for (size_t i = 0; i < kVerdicts; ++i) {
    json.Key(Name(static_cast<Verdict>(i))).Uint(c.counts[i]);
  }
  json.EndObject().Key("coverage").BeginObject();
  json.Key("pairs").Uint(c.rows.size());
  json.Key("golden");
  AppendCoverage(c.golden_coverage, json);
  json.Key("target");
  AppendCoverage(c.target_coverage, json);
  json.EndObject();
}

void AppendSources(const Comparison& c, JsonWriter& json) {
  json.Key("sources").BeginObject().Key("golden");
  AppendSource(c.golden, json);
  json.Key("target");
  AppendSource(c.target, json);
  json.Key("noise");
  if (c.noise) {
    AppendSource(*c.noise, json);
  } else {
    json.Null();
  }
  json.EndObject().Key("pairing").BeginObject();
  json.Key("strategy").TextOrNull(c.strategy);
  json.Key("why").TextOrNull(c.why_strategy).EndObject();
}

void AppendFindings(const Comparison& c, JsonWriter& json) {
  json.Key("findings").BeginArray();
  for (const Finding& finding : c.findings) AppendFinding(finding, json);
  json.EndArray();
}

void AppendRun(const Comparison& c, JsonWriter& json) {
  json.Key("run").BeginObject().Key("tool").Text(c.run.tool);
  json.Key("started").Text(c.run.started);
  json.Key("seconds");
  AppendNumber(c.run.seconds, json);
  json.Key("threads").Int(c.run.threads);
  json.Key("simd").TextOrNull(c.run.simd);
  json.Key("argv");
  AppendTexts(c.run.argv, json);
  json.EndObject();
}

std::string UnpairedJson(const UnpairedTensor& tensor) {
  JsonWriter json;
  json.BeginObject().Key("side").Text(Name(tensor.side));
  json.Key("name").Text(tensor.name);
  json.Key("file").TextOrNull(tensor.file);
  json.Key("status").Text(tensor.status);
  json.Key("why").TextOrNull(tensor.why).EndObject();
  return json.Take();
}

std::string HeaderJson(const Comparison& c) {
  JsonWriter json;
  json.BeginObject().Key("schema").Text("assay.comparison/1");
  AppendVerdict(c, json);
  AppendOrigins(c, json);
  AppendCounts(c, json);
  AppendSources(c, json);
  AppendFindings(c, json);
  AppendRun(c, json);
  return json.EndObject().Take();
}

}  // namespace assay
