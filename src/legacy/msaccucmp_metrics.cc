#include "legacy/msaccucmp_metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "legacy/chunks.h"
#include "legacy/metric_group.h"
#include "legacy/msaccucmp_sums.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

using enum MsaccucmpMetric;
using Sums = MsaccucmpSums;
using SideSums = MsaccucmpSums::Side;

constexpr std::array<std::string_view, kMsaccucmpMetrics> kNames = {
    "CosineSimilarity",          "MaxAbsoluteError",
    "AccumulatedRelativeError",  "RelativeEuclideanDistance",
    "KullbackLeiblerDivergence", "StandardDeviation",
    "MeanAbsoluteError",         "RootMeanSquareError",
    "MaxRelativeError",          "MeanRelativeError"};
constexpr std::array<MsaccucmpMetric, kMsaccucmpMetrics> kAll = {
    kCosineSimilarity,          kMaxAbsoluteError,
    kAccumulatedRelativeError,  kRelativeEuclideanDistance,
    kKullbackLeiblerDivergence, kStandardDeviation,
    kMeanAbsoluteError,         kRootMeanSquareError,
    kMaxRelativeError,          kMeanRelativeError};

bool Has(const MsaccucmpQuestion& question, MsaccucmpMetric metric) {
  return std::ranges::find(question.metrics, metric) != question.metrics.end();
}

MsaccucmpCell Fixed(double value) { return {FixedText(value, 6), ""}; }

MsaccucmpCell NotComputed(std::string message) {
  return {"NaN", std::move(message)};
}

MsaccucmpCell Failed(MsaccucmpMetric metric, std::string_view exception) {
  return NotComputed(fmt::format("Failed to execute 'compare' in '{}'. {}",
                                 Name(metric), exception));
}

// The shape counts as one of a single number if its dimensions sum to their
// number. So does (2, 0), as in the original.
bool IsScalar(const Shape& shape) {
  int64_t sum = 0;
  for (const int64_t dim : shape) sum += dim;
  return sum == static_cast<int64_t>(shape.size());
}

struct Norms {
  double my, golden;
};

// The cosine, unless a side is next to nothing.
MsaccucmpCell CosineBy(const Norms& norms, double cosine,
                       const MsaccucmpQuestion& question) {
  if (norms.my <= kEps64 && norms.golden < kEps64) return {"1.0", ""};
  const auto zero = [](const std::string& file) {
    return NotComputed(
        "Cannot compare by Cosine Similarity. All the data is zero in " + file +
        ".");
  };
  if (std::sqrt(norms.my) <= kEps64) return zero(question.my_file);
  if (std::sqrt(norms.golden) <= kEps64) return zero(question.golden_file);
  return Fixed(cosine > 1 ? 1 : cosine);
}

MsaccucmpCell Divergence(float value) {
  if (std::fabs(value) < kEps64) value = 0;
  MsaccucmpCell cell = Fixed(value);
  if (cell.value == "inf") {
    cell.message =
        "Cannot compare by Kullback-Leibler Divergence. The data is infinite.";
  }
  return cell;
}

std::string Deviation(const SideSums& side, uint64_t n) {
  const auto text = [](double v) {
    return FixedText(std::fabs(v) < 0.001 ? 0.0 : v, 3);
  };
  return fmt::format("({};{})", text(side.mean(n)),
                     text(std::sqrt(side.centred / static_cast<double>(n))));
}

double Euclidean(const Sums& s) {
  if (std::sqrt(s.golden.squares) <= kEps64) return 0;
  return std::sqrt(double{s.squares / s.golden.squares});
}

MsaccucmpCell Answer(MsaccucmpMetric metric, const Sums& s,
                     const MsaccucmpQuestion& question) {
  constexpr std::string_view kNoMaximum =
      "zero-size array to reduction operation maximum which has no identity";
  const bool needs_elements = metric == kMaxAbsoluteError ||
                              metric == kKullbackLeiblerDivergence ||
                              metric == kMaxRelativeError;
  if (s.n == 0 && needs_elements) return Failed(metric, kNoMaximum);
  switch (metric) {
    case kCosineSimilarity:
      return CosineBy({s.my.norm(), s.golden.norm()}, s.cosine, question);
    case kMaxAbsoluteError:
      return Fixed(s.max_difference);
    case kAccumulatedRelativeError:
      return Fixed(s.relative);
    case kRelativeEuclideanDistance:
      return Fixed(Euclidean(s));
    case kKullbackLeiblerDivergence:
      return Divergence(s.divergence);
    case kStandardDeviation:
      return {Deviation(s.my, s.n) + "," + Deviation(s.golden, s.n), ""};
    case kMeanAbsoluteError:
      return Fixed(MeanOf(s.difference, s.n));
    case kRootMeanSquareError:
      return Fixed(std::sqrt(MeanOf(s.squares, s.n)));
    case kMaxRelativeError:
      return Fixed(s.max_relative);
    case kMeanRelativeError:
      break;
  }
  return Fixed(MeanOf(s.relative, s.n));
}

// Two boolean arrays stay boolean; NumPy cannot subtract those.
MsaccucmpCell AnswerBool(MsaccucmpMetric metric, const Sums& s,
                         const MsaccucmpQuestion& question) {
  if (metric == kCosineSimilarity) {
    // s.squares counts the elements that differ.
    const double my = std::sqrt(s.my.sum), golden = std::sqrt(s.golden.sum);
    const double both = (s.my.sum + s.golden.sum - s.squares) / 2;
    return CosineBy({my, golden}, both / (my * golden), question);
  }
  if (metric == kRelativeEuclideanDistance) {
    if (s.golden.sum == 0) return Fixed(0);
    return Failed(metric,
                  "numpy boolean subtract, the `-` operator, is not supported, "
                  "use the bitwise_xor, the `^` operator, or the logical_xor "
                  "function instead.");
  }
  return NotComputed(NoBool(Name(metric)));
}

std::string Overflow(const MeasureJob& job, const Sums& s) {
  if (job.target.dtype() != DType::kF16) return "NaN";
  return std::max(s.my.max, -s.my.min) >= 65504 ? "YES" : "NO";
}

std::string Refusal(const PairChunks& pair, const MsaccucmpQuestion& q) {
  return fmt::format(
      "The my output dump data size ({}) in ''{}'' does not match the ground "
      "truth dump data size ({}) in ''{}''.",
      pair.my_count(), q.my_file, pair.golden_count(), q.golden_file);
}

}  // namespace

std::string NoBool(std::string_view algorithm) {
  return fmt::format("Algorithm {} does not support Boolean types.", algorithm);
}

std::string_view Name(MsaccucmpMetric metric) {
  return kNames[static_cast<size_t>(metric)];
}

std::optional<MsaccucmpMetric> MsaccucmpMetricNamed(std::string_view name) {
  for (size_t i = 0; i < kAll.size(); ++i) {
    if (name == kNames[i] || name == std::to_string(i)) return kAll[i];
  }
  return std::nullopt;
}

std::span<const MsaccucmpMetric> AllMsaccucmpMetrics() { return kAll; }

std::string MsaccucmpAnswer::Reason() const {
  if (!refusal.empty()) return refusal;
  std::vector<std::string_view> messages;
  for (const MsaccucmpCell& cell : cells) {
    if (!cell.message.empty()) messages.push_back(cell.message);
  }
  return fmt::format("{}", fmt::join(messages, ","));
}

Result<MsaccucmpAnswer> AskMsaccucmp(const MeasureJob& job,
                                     const MsaccucmpQuestion& question) {
  ASSIGN_OR_RETURN(const PairChunks pair, PairChunks::Open(job));
  MsaccucmpAnswer answer;
  if (pair.my_count() != pair.golden_count()) {
    answer.refusal = Refusal(pair, question);
    answer.cells.assign(question.metrics.size(), NotComputed(""));
    return answer;
  }
  const uint64_t n = question.first == 0
                         ? pair.my_count()
                         : std::min(question.first, pair.my_count());
  const bool divergence = Has(question, kKullbackLeiblerDivergence);
  const bool twice = divergence || Has(question, kCosineSimilarity) ||
                     Has(question, kStandardDeviation);
  const int passes = divergence ? 3 : twice ? 2 : 1;
  const auto known =
      n == pair.my_count() ? KnownOf(question.stats, job) : std::nullopt;
  ASSIGN_OR_RETURN(const Sums sums,
                   SumMsaccucmp(pair, n, passes, known, question.threads));
  const bool typed = pair.my_count() > 0 || question.empty_has_type;
  const bool both_bool = typed && !question.bool_is_number &&
                         job.target.dtype() == DType::kBool &&
                         job.golden.dtype() == DType::kBool;
  for (const MsaccucmpMetric metric : question.metrics) {
    if (metric == kCosineSimilarity && IsScalar(job.target.shape)) {
      answer.cells.push_back({"1.000000", "This tensor is scalar."});
    } else {
      answer.cells.push_back(both_bool ? AnswerBool(metric, sums, question)
                                       : Answer(metric, sums, question));
    }
  }
  answer.overflow = Overflow(job, sums);
  return answer;
}

namespace {

Result<Cells> CellsOf(const MetricPair& pair) {
  ASSIGN_OR_RETURN(const MsaccucmpAnswer answer,
                   AskMsaccucmp(pair.job, {.my_file = pair.my_file,
                                           .golden_file = pair.golden_file,
                                           .empty_has_type = true,
                                           .threads = pair.threads,
                                           .stats = pair.stats}));
  Cells cells;
  for (size_t i = 0; i < kAll.size(); ++i) {
    cells.emplace_back(kNames[i], answer.cells[i].value);
  }
  cells.emplace_back("OverFlow", answer.overflow);
  cells.emplace_back("message", answer.Reason());
  return cells;
}

}  // namespace

extern constinit const MetricGroup kMsaccucmpGroup = {
    .name = "msaccucmp",
    .summary = "the ten algorithms of msaccucmp, in float32",
    .cells = CellsOf,
};

}  // namespace assay
