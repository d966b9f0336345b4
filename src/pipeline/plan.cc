#include "pipeline/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/parallel.h"
#include "judge/by_summary.h"
#include "pipeline/align.h"

namespace assay {
namespace {

std::optional<int64_t> Known(int64_t value) {
  return value < 0 ? std::nullopt : std::optional(value);
}

Operand MakeOperand(const Dump& dump, uint32_t file, const StoredTensor& t) {
  return {.file = dump.files[file],
          .tensor = t.name,
          .dtype = std::string(Name(t.dtype)),
          .shape = t.shape,
          .layout = std::string(Name(t.layout))};
}

std::vector<Operand> MakeOperands(const Dump& dump, const TensorInfo& t) {
  if (!t.join) return {MakeOperand(dump, t.file, t.stored)};
  std::vector<Operand> out;
  for (const Join::Part& part : t.join->parts) {
    out.push_back(MakeOperand(dump, part.file, part.stored));
  }
  return out;
}

void NameRow(const Dump& dump, const TensorInfo& t, Row& row) {
  row.name = dump.NameOf(t);
  row.op = dump.names[t.id.op];
  row.type = dump.names[t.id.type];
  row.port = Name(t.id.port);
  row.graph = dump.names[t.id.graph];
  row.phase = Name(t.id.phase);
  row.order_from = Name(t.id.order_from);
  row.index = Known(t.id.index);
  row.rank = Known(t.id.rank);
  row.step = Known(t.id.step);
  row.order = Known(t.id.order);
  row.call = t.id.call;
}

Row MakeRow(const Dump& golden, const TensorInfo& g, const Dump& target,
            const TensorInfo& t, const Pair& pair, bool by_target) {
  Row row;
  by_target ? NameRow(target, t, row) : NameRow(golden, g, row);
  row.golden = MakeOperands(golden, g);
  row.target = MakeOperands(target, t);
  row.why_paired = *pair.why;
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
  if (const ErrorRef& error = g.error() ? g.error() : t.error()) {
    row.verdict = Verdict::kError;
    row.error = error;
    row.why = error->what;
    return false;
  }
  const StoredTensor &a = g.stored, &b = t.stored;
  if (a.summary && b.summary) return true;  // whatever the values were
  if (a.dtype == DType::kOpaque || b.dtype == DType::kOpaque) {
    row.verdict = Verdict::kSkipped;
    row.why = fmt::format(
        "{} holds no numbers (bf16 saved as '|V2' needs --bf16-void)",
        a.dtype == DType::kOpaque ? "golden" : "target");
    return false;
  }
  return true;
}

bool CheckKinds(DType g, DType t, Row& row) {
  if (IsComplex(g) == IsComplex(t)) return true;
  Fail(row, fmt::format("kind mismatch: golden is {}, target is {}", Name(g),
                        Name(t)));
  return false;
}

bool ShapeKnown(const StoredTensor& tensor) {
  return !tensor.summary || tensor.summary->shape_known;
}

bool CheckShapes(const Shape& g, const Shape& t, Row& row) {
  if (ElementCount(g).value_or(0) == ElementCount(t).value_or(0)) return true;
  Fail(row, fmt::format("shape mismatch: golden {}, target {}", ToText(g),
                        ToText(t)));
  return false;
}

// At least one side is statistics only.
void PlanSummary(const Dump& golden, const TensorInfo& g, const Dump& target,
                 const TensorInfo& t, Planned& out) {
  const StoredTensor &a = g.stored, &b = t.stored;
  if (ShapeKnown(a) && ShapeKnown(b) && !IsPacked(a.layout) &&
      !IsPacked(b.layout) && !CheckShapes(a.shape, b.shape, out.row)) {
    return;
  }
  out.golden_type = a.dtype;
  out.target_type = b.dtype;
  out.golden_summary = a.summary;
  out.target_summary = b.summary;
  if (!a.summary) {
    const StoredView full = SeePlain(golden, g).view;
    out.job = MeasureJob{full, full};
  } else if (!b.summary) {
    const StoredView full = SeePlain(target, t).view;
    out.job = MeasureJob{full, full};
  } else {
    JudgeBySummary({*a.summary, *b.summary, a.dtype, b.dtype}, out.row);
  }
}

void PlanPair(const Dump& golden, const TensorInfo& g, const Dump& target,
              const TensorInfo& t, const Pair& pair, Planned& out) {
  if (!CheckWithoutData(g, t, out.row)) return;
  const bool same_kind = CheckKinds(g.stored.dtype, t.stored.dtype, out.row);
  if (g.stored.summary || t.stored.summary) {
    if (same_kind) PlanSummary(golden, g, target, t, out);
    return;
  }
  Aligned aligned = Align(golden, g, target, t, pair);
  const bool measurable =
      same_kind &&
      CheckShapes(aligned.golden.shape, aligned.target.shape, out.row);
  MeasureJob job = {std::move(aligned.golden), std::move(aligned.target)};
  if (!measurable) {
    out.unlike = std::make_shared<const MeasureJob>(std::move(job));
    return;
  }
  out.row.steps = std::move(aligned.steps);
  out.step = aligned.step;
  out.job = std::move(job);
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

Planned PlanTwo(const Dump& golden, const TensorInfo& g, const Dump& target,
                const TensorInfo& t) {
  Planned planned;
  PlanPair(golden, g, target, t, {}, planned);
  return planned;
}

std::vector<Planned> PlanRows(const Dump& golden, const Dump& target,
                              const Pairing& pairing, int threads) {
  std::vector<Planned> rows(pairing.pairs.size());
  ParallelFor(rows.size(), threads, [&](size_t k, size_t) {
    const Pair& pair = pairing.pairs[k];
    const Dump& first = pair.golden_is_target ? target : golden;
    const TensorInfo& g = first.tensors[pair.golden.tensor];
    const TensorInfo& t = target.tensors[pair.target.tensor];
    Planned& planned = rows[k];
    planned.row = MakeRow(first, g, target, t, pair, pairing.named_by_target);
    planned.row.strategy = pairing.strategy;
    planned.golden = pair.golden.tensor;
    planned.target = pair.target.tensor;
    planned.golden_is_target = pair.golden_is_target;
    PlanPair(first, g, target, t, pair, planned);
  });
  const auto before = [](const Planned& a, const Planned& b) {
    return ReportOrder(a.row) < ReportOrder(b.row);
  };
  // Rows are large, and mostly stand in order already.
  if (!std::ranges::is_sorted(rows, before)) std::ranges::sort(rows, before);
  for (size_t i = 0; i < rows.size(); ++i) rows[i].row.number = i;
  return rows;
}

}  // namespace assay
