#include "reports/document_json.h"
#include "reports/json_reader.h"

namespace assay {
namespace {

SideCoverage ReadCoverage(const JsonReader& json) {
  return {.total = json.Uint("total"),
          .compared = json.Uint("compared"),
          .unpaired = json.Uint("unpaired"),
          .skipped = json.Uint("skipped"),
          .error = json.Uint("error")};
}

SourceLabel ReadSource(const JsonReader& json) {
  return {.source = json.Text("source"),
          .kind = json.Text("kind"),
          .graph = json.Text("graph")};
}

Finding ReadFinding(const JsonReader& json) {
  Finding finding{.rule = json.Text("rule"),
                  .rank = json.SmallInt("rank"),
                  .where = json.Text("where"),
                  .text = json.Text("text"),
                  .next = json.Text("next")};
  const JsonReader evidence = json.Object("evidence");
  for (const std::string& key : evidence.Keys()) {
    finding.evidence.emplace_back(key, evidence.Text(key));
  }
  return finding;
}

RunInfo ReadRunInfo(const JsonReader& json) {
  return {.tool = json.Text("tool"),
          .started = json.Text("started"),
          .simd = json.Text("simd"),
          .seconds = json.Real("seconds").value_or(0),
          .threads = json.SmallInt("threads"),
          .argv = json.Texts("argv")};
}

void ReadVerdict(const JsonReader& json, Comparison& c) {
  c.verdict = json.Named<Verdict, kVerdicts>("verdict");
  c.exit = json.SmallInt("exit");
  c.why = json.Text("why");
  c.origins = json.Texts("origins");
  const JsonReader counts = json.Object("counts");
  for (size_t i = 0; i < kVerdicts; ++i) {
    c.counts[i] = counts.Uint(Name(static_cast<Verdict>(i)));
  }
  c.golden_coverage = ReadCoverage(json.Object("coverage").Object("golden"));
  c.target_coverage = ReadCoverage(json.Object("coverage").Object("target"));
}

void ReadSources(const JsonReader& json, Comparison& c) {
  const JsonReader sources = json.Object("sources");
  c.golden = ReadSource(sources.Object("golden"));
  c.target = ReadSource(sources.Object("target"));
  if (sources.Has("noise")) c.noise = ReadSource(sources.Object("noise"));
  c.strategy = json.Object("pairing").Text("strategy");
  c.why_strategy = json.Object("pairing").Text("why");
}

}  // namespace

Result<Comparison> HeaderFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(const Json value, ParseJson(text));
  std::string problem;
  const JsonReader json(value, problem);
  Comparison c;
  ReadVerdict(json, c);
  ReadSources(json, c);
  for (const JsonReader& finding : json.Objects("findings")) {
    c.findings.push_back(ReadFinding(finding));
  }
  c.run = ReadRunInfo(json.Object("run"));
  if (!problem.empty()) return Corrupt("{}", problem);
  return c;
}

}  // namespace assay
