#include "judge/summary_limits.h"

#include <fmt/format.h>

#include "base/text.h"

namespace assay {
namespace {

void Fail(const FailOn& rule, double value, Row& row) {
  row.verdict = Verdict::kFail;
  row.cause = Cause::kUnknown;
  row.why = fmt::format("{}: it is {}; only statistics were kept", rule.text,
                        RoundedText(value));
  row.floor = Floor{.level = "threshold",
                    .metric = std::string(rule.metric->name),
                    .value = rule.limit};
}

void Doubt(std::string_view what, Row& row) {
  if (row.verdict != Verdict::kPass && row.verdict != Verdict::kTrivial) return;
  row.verdict = Verdict::kUnsure;
  row.cause = Cause::kUnknown;
  row.why += fmt::format("; {} cannot be checked without the values", what);
}

}  // namespace

void LimitSummaryRow(const JudgeOptions& options, Row& row) {
  const bool judged = row.verdict != Verdict::kSkipped &&
                      row.verdict != Verdict::kError &&
                      row.verdict != Verdict::kFail;
  const bool same_bytes = row.floor && row.floor->level == "exact";
  if (row.evidence == "full" || !judged || same_bytes) return;
  for (const FailOn& rule : options.fail_on) {
    const auto value = row.metrics.Get(rule.metric->name);
    if (value && rule.Holds(*value)) return Fail(rule, *value, row);
    if (!value) Doubt(rule.text, row);
  }
  if (options.tolerances) Doubt("a tolerance of elements", row);
}

}  // namespace assay
