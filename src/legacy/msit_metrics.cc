#include "legacy/msit_metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "legacy/chunks.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

using Chunk = ChunkPair<float>;
constexpr float kInf = std::numeric_limits<float>::infinity();

struct SideSums {
  float sum = 0, max = -kInf, min = kInf;
  float squares = 0;
  float poison = 0;         // 0, or NaN if an element is not finite
  double wide_squares = 0;  // the cosine is computed in float64
  float exps = 0;           // of e^(x - max)
};

struct Sums {
  SideSums my, golden;
  double product = 0;
  float relative = 0, max_relative = 0;
  float absolute = 0, max_absolute = 0;
  float squares = 0;  // of my - golden
  float divergence = 0;
};

inline void AddSide(const float* x, size_t n, SideSums& sums) {
  sums.sum += ChunkSum<float>([&](size_t i) { return x[i]; }, n);
  sums.squares += ChunkSum<float>([&](size_t i) { return x[i] * x[i]; }, n);
  sums.poison += ChunkSum<float>([&](size_t i) { return x[i] * 0; }, n);
  sums.wide_squares +=
      ChunkSum<double>([&](size_t i) { return double{x[i]} * x[i]; }, n);
  sums.max = ChunkMax(x, n, sums.max);
  sums.min = ChunkMin(x, n, sums.min);
}

ASSAY_WIDE void AddSides(const Chunk& c, size_t my_n, size_t golden_n,
                         Sums& sums) {
  AddSide(c.my, my_n, sums.my);
  AddSide(c.golden, golden_n, sums.golden);
}

// Errors count only where golden is something: the original has it so for the
// absolute error, too.
ASSAY_WIDE void AddErrors(const Chunk& c, Sums& sums) {
  const float *m = c.my, *g = c.golden;
  const Terms<float> relative(c.n, [&](size_t i) {
    const float e = std::fabs(m[i] / g[i] - 1);
    return std::fabs(g[i]) > kEps32 ? e : 0.0F;
  });
  const Terms<float> absolute(c.n, [&](size_t i) {
    const float d = std::fabs(m[i] - g[i]);
    return std::fabs(g[i]) > kEps32 ? d : 0.0F;
  });
  sums.relative += relative.Sum();
  sums.absolute += absolute.Sum();
  sums.max_relative = relative.Max(sums.max_relative);
  sums.max_absolute = absolute.Max(sums.max_absolute);
  sums.product +=
      ChunkSum<double>([&](size_t i) { return double{m[i]} * g[i]; }, c.n);
  sums.squares += ChunkSum<float>(
      [&](size_t i) { return (m[i] - g[i]) * (m[i] - g[i]); }, c.n);
}

ASSAY_WIDE void AddExps(const Chunk& c, Sums& sums) {
  const float my = sums.my.max, golden = sums.golden.max;
  const Terms<float> my_exps(c.n,
                             [&](size_t i) { return WideExp(c.my[i] - my); });
  const Terms<float> golden_exps(
      c.n, [&](size_t i) { return WideExp(c.golden[i] - golden); });
  sums.my.exps += my_exps.Sum();
  sums.golden.exps += golden_exps.Sum();
}

// p (ln p - ln q) of the two softmaxes.
ASSAY_WIDE void AddDivergence(const Chunk& c, Sums& sums) {
  const float log_exps = WideLog(sums.my.exps);
  const SideSums my = sums.my, golden = sums.golden;
  const Terms<float> terms(c.n, [&](size_t i) {
    const float p = WideExp(c.golden[i] - golden.max) / golden.exps;
    const float log_q = c.my[i] - my.max - log_exps;
    const float entropy = p * WideLog(p);
    return (p > 0 ? entropy : 0.0F) - p * log_q;
  });
  sums.divergence += terms.Sum();
}

std::string Text(float value) { return ReprText(value); }

std::string Cosine(const Sums& s) {
  const auto zero = [](const SideSums& x) { return x.max == 0 && x.min == 0; };
  if (zero(s.my) && zero(s.golden)) return "1.0";
  const double my = std::max(std::sqrt(s.my.wide_squares), 1e-8);
  const double golden = std::max(std::sqrt(s.golden.wide_squares), 1e-8);
  return ReprText(RoundedTo(s.product / my / golden, 10));
}

std::string Euclidean(const Sums& s) {
  if (std::sqrt(s.golden.squares) <= kEps32) return "0.0";
  return Text(std::sqrt(s.squares / s.golden.squares));
}

std::array<std::string, 7> Metrics(const Sums& s, uint64_t n) {
  return {Cosine(s),
          Text(s.max_relative),
          Text(MeanOf(s.relative, n)),
          Text(s.max_absolute),
          Text(MeanOf(s.absolute, n)),
          s.divergence < 0 ? "0" : Text(s.divergence),
          Euclidean(s)};
}

MsitSide Describe(const StoredView& view, uint64_t n, const SideSums& sums) {
  MsitSide side = {.dtype = TorchTypeText(view.dtype()),
                   .shape = TorchShapeText(view.shape)};
  if (n == 0) return side;
  const bool nan = std::isnan(sums.squares);
  side.max = Text(nan ? sums.squares : sums.max);
  side.min = Text(nan ? sums.squares : sums.min);
  side.mean = Text(MeanOf(sums.sum, n));
  side.l2 = Text(std::sqrt(sums.squares));
  return side;
}

std::string Reasons(const Sums& sums, const PairChunks& pair) {
  std::vector<std::string_view> reasons;
  if (pair.my_count() != pair.golden_count()) {
    reasons.push_back(kMsitShapeReason);
  }
  if (std::isnan(sums.golden.poison)) {
    reasons.push_back("golden_data includes NAN or inf.");
  }
  if (std::isnan(sums.my.poison)) {
    reasons.push_back("my_data includes NAN or inf.");
  }
  // The original ends with an exception here.
  if (reasons.empty() && pair.my_count() == 0) {
    reasons.push_back("data is empty.");
  }
  return fmt::format("{}", fmt::join(reasons, " "));
}

Status AddSides(const PairChunks& pair, Sums& sums) {
  uint64_t my = pair.my_count(), golden = pair.golden_count();
  return pair.ForEach<float>(std::max(my, golden), [&](const Chunk& c) {
    const auto m = static_cast<size_t>(std::min<uint64_t>(my, c.n));
    const auto g = static_cast<size_t>(std::min<uint64_t>(golden, c.n));
    AddSides(c, m, g, sums);
    my -= m;
    golden -= g;
  });
}

}  // namespace

std::string TorchTypeText(DType type) {
  using enum DType;
  switch (type) {
    case kBF16:
      return "torch.bfloat16";
    case kU16:
      return "torch.int32";  // torch has no such type; the tool widens it
    case kU32:
      return "torch.int64";
    case kBool:
      return "torch.bool";
    default:
      break;
  }
  const DTypeInfo& info = Info(type);
  const std::string_view kind = info.kind == DKind::kFloat     ? "float"
                                : info.kind == DKind::kComplex ? "complex"
                                : info.is_unsigned             ? "uint"
                                                               : "int";
  return fmt::format("torch.{}{}", kind, info.bits);
}

std::string TorchShapeText(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

Result<MsitRow> AskMsit(const MeasureJob& job) {
  ASSIGN_OR_RETURN(const PairChunks pair, PairChunks::Open(job));
  Sums sums;
  RETURN_IF_ERROR(AddSides(pair, sums));
  MsitRow row = {
      .golden = Describe(job.golden, pair.golden_count(), sums.golden),
      .my = Describe(job.target, pair.my_count(), sums.my),
      .reason = Reasons(sums, pair)};
  if (!row.reason.empty()) return row;
  const uint64_t n = pair.my_count();
  RETURN_IF_ERROR(pair.ForEach<float>(n, [&](const Chunk& c) {
    AddErrors(c, sums);
    AddExps(c, sums);
  }));
  RETURN_IF_ERROR(
      pair.ForEach<float>(n, [&](const Chunk& c) { AddDivergence(c, sums); }));
  row.metrics = Metrics(sums, n);
  return row;
}

namespace {

void AddSideCells(std::string_view side, const MsitSide& values, Cells& cells) {
  const auto add = [&](std::string_view name, const std::string& text) {
    if (!text.empty())
      cells.emplace_back(fmt::format("{}_{}", side, name), text);
  };
  add("dtype", values.dtype);
  add("shape", values.shape);
  add("max_value", values.max);
  add("min_value", values.min);
  add("mean_value", values.mean);
}

Result<Cells> CellsOf(const MetricPair& pair) {
  ASSIGN_OR_RETURN(const MsitRow row, AskMsit(pair.job));
  Cells cells;
  for (size_t i = 0; i < kMsitMetrics.size() && row.reason.empty(); ++i) {
    cells.emplace_back(kMsitMetrics[i], row.metrics[i]);
  }
  cells.emplace_back("cmp_fail_reason", row.reason);
  AddSideCells("golden", row.golden, cells);
  AddSideCells("my", row.my, cells);
  return cells;
}

}  // namespace

extern constinit const MetricGroup kMsitGroup = {
    .name = "msit",
    .summary = "the seven metrics of msit llm compare",
    .cells = CellsOf,
};

}  // namespace assay
