#include "pipeline/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "kernel/pair_blocks.h"

namespace assay {
namespace {

std::optional<int64_t> Known(int64_t value) {
  return value < 0 ? std::nullopt : std::optional(value);
}

Operand MakeOperand(const Dump& dump, const TensorInfo& t) {
  return {.file = dump.files[t.file],
          .tensor = t.stored.name,
          .dtype = std::string(Name(t.stored.dtype)),
          .shape = t.stored.shape,
          .layout = std::string(Name(t.stored.layout))};
}

// The golden side names the row; what it does not know, the target may.
Row MakeRow(const Dump& golden, const TensorInfo& g, const Dump& target,
            const TensorInfo& t, const Pair& pair) {
  Row row;
  row.name = golden.NameOf(g);
  row.op = golden.names[g.id.op];
  row.type = golden.names[g.id.type];
  row.port = Name(g.id.port);
  row.graph = golden.names[g.id.graph];
  row.phase = Name(g.id.phase);
  row.order_from = Name(g.id.order_from);
  row.index = Known(g.id.index);
  row.rank = Known(g.id.rank);
  row.step = Known(g.id.step);
  row.order = Known(g.id.order);
  row.call = g.id.call;
  row.golden = {MakeOperand(golden, g)};
  row.target = {MakeOperand(target, t)};
  row.strategy = pair.strategy;
  row.why_paired = pair.why;
  return row;
}

void Fail(Row& row, std::string why) {
  row.verdict = Verdict::kFail;
  row.cause = Cause::kUnknown;
  row.why = std::move(why);
  row.floor = Floor{.level = "exact"};
}

// Verdicts that need no data. True: the values can be measured.
bool CheckWithoutData(const TensorInfo& g, const TensorInfo& t, Row& row) {
  if (const ErrorRef& error = g.error ? g.error : t.error) {
    row.verdict = Verdict::kError;
    row.error = error;
    row.why = error->what;
    return false;
  }
  const StoredTensor &a = g.stored, &b = t.stored;
  if (a.dtype == DType::kOpaque || b.dtype == DType::kOpaque) {
    row.verdict = Verdict::kSkipped;
    row.why = fmt::format(
        "{} holds no numbers (bf16 saved as '|V2' needs --bf16-void)",
        a.dtype == DType::kOpaque ? "golden" : "target");
    return false;
  }
  const uint64_t elements = ElementCount(a.shape).value_or(0);
  if (elements != ElementCount(b.shape).value_or(0)) {
    Fail(row, fmt::format("shape mismatch: golden {}, target {}",
                          ToText(a.shape), ToText(b.shape)));
    return false;
  }
  if (IsComplex(a.dtype) != IsComplex(b.dtype)) {
    Fail(row, fmt::format("kind mismatch: golden is {}, target is {}",
                          Name(a.dtype), Name(b.dtype)));
    return false;
  }
  return true;
}

// Same count, different shape: compared flat, and said.
void NoteFlattening(const StoredTensor& g, const StoredTensor& t, Row& row) {
  if (g.shape == t.shape) return;
  const ViewStep step = {
      .shape = {static_cast<int64_t>(ElementCount(g.shape).value_or(0))}};
  if (g.shape.size() != 1) row.steps.push_back("golden: " + step.Text());
  if (t.shape.size() != 1) row.steps.push_back("target: " + step.Text());
}

auto ReportOrder(const Row& row) {
  return std::tuple(row.rank.value_or(-1), row.step.value_or(-1),
                    std::string_view(row.graph), row.order.value_or(-1),
                    std::string_view(row.name), std::string_view(row.port),
                    row.index.value_or(-1),
                    std::string_view(row.target.front().file),
                    std::string_view(row.target.front().tensor));
}

}  // namespace

std::optional<MeasureJob> MakeJob(const Dump& golden, const TensorInfo& g,
                                  const Dump& target, const TensorInfo& t) {
  Row ignored;
  if (!CheckWithoutData(g, t, ignored)) return std::nullopt;
  return MeasureJob{.golden_path = golden.PathOf(g),
                    .target_path = target.PathOf(t),
                    .golden = &g.stored,
                    .target = &t.stored};
}

std::vector<Planned> PlanRows(const Dump& golden, const Dump& target,
                              const Pairing& pairing) {
  std::vector<Planned> rows;
  rows.reserve(pairing.pairs.size());
  for (const Pair& pair : pairing.pairs) {
    const uint32_t i = pair.golden.tensors.front();
    const uint32_t j = pair.target.tensors.front();
    const TensorInfo &g = golden.tensors[i], &t = target.tensors[j];
    Planned planned{
        .row = MakeRow(golden, g, target, t, pair), .golden = i, .target = j};
    if (CheckWithoutData(g, t, planned.row)) {
      NoteFlattening(g.stored, t.stored, planned.row);
      planned.job = MakeJob(golden, g, target, t);
    }
    rows.push_back(std::move(planned));
  }
  std::sort(rows.begin(), rows.end(), [](const Planned& a, const Planned& b) {
    return ReportOrder(a.row) < ReportOrder(b.row);
  });
  for (size_t i = 0; i < rows.size(); ++i) rows[i].row.number = i;
  return rows;
}

}  // namespace assay
