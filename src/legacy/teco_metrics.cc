#include "legacy/teco_metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "legacy/chunks.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

constexpr double kEps = 1e-9;

// Sums in T, the type NumPy computes in.
template <typename T>
struct Sums {
  T difference = 0, golden = 0, ratio = 0, diff3 = 0;
  T diff3_max = 0;
  uint64_t greater = 0, less = 0, other_whole = 0, not_finite = 0;
};

// What a cast to int64 gives on the CPUs the tool ran on.
inline int64_t Whole(double x) {
  return x >= -0x1p63 && x < 0x1p63 ? static_cast<int64_t>(x)
                                    : std::numeric_limits<int64_t>::min();
}

// Relative where |B| is above the threshold, absolute elsewhere. Both halves
// are computed, as there: infinity times 0 is NaN.
template <typename T>
inline T Diff3(T s, T b, double threshold) {
  const T m = double{std::fabs(b)} > threshold ? 1 : 0;
  const T rest = 1 - m;
  return std::fabs(s * m - b * m) / (std::fabs(b * m) + static_cast<T>(kEps)) +
         std::fabs(s * rest - b * rest);
}

template <typename T>
inline void AddCounts(const ChunkPair<T>& c, Sums<T>& sums) {
  uint64_t greater = 0, less = 0, other = 0, not_finite = 0;
  for (size_t i = 0; i < c.n; ++i) {
    const T s = c.my[i], b = c.golden[i];
    greater += s > b ? 1 : 0;
    less += s < b ? 1 : 0;
    other += Whole(s) != Whole(b) ? 1 : 0;
    not_finite += s - s != 0 || b - b != 0 ? 1 : 0;
  }
  sums.greater += greater;
  sums.less += less;
  sums.other_whole += other;
  sums.not_finite += not_finite;
}

template <typename T>
inline void AddChunk(const ChunkPair<T>& c, double threshold, Sums<T>& sums) {
  const T *s = c.my, *b = c.golden;
  const Terms<T> diff3(c.n,
                       [&](size_t i) { return Diff3(s[i], b[i], threshold); });
  sums.difference +=
      ChunkSum<T>([&](size_t i) { return std::fabs(s[i] - b[i]); }, c.n);
  sums.golden += ChunkSum<T>([&](size_t i) { return std::fabs(b[i]); }, c.n);
  sums.ratio += ChunkSum<T>(
      [&](size_t i) {
        return std::fabs((s[i] - b[i]) /
                         (std::fabs(b[i]) + static_cast<T>(kEps)));
      },
      c.n);
  sums.diff3 += diff3.Sum();
  sums.diff3_max = diff3.Max(sums.diff3_max);
  AddCounts(c, sums);
}

ASSAY_WIDE void Add(const ChunkPair<float>& c, double threshold,
                    Sums<float>& sums) {
  AddChunk(c, threshold, sums);
}
ASSAY_WIDE void Add(const ChunkPair<double>& c, double threshold,
                    Sums<double>& sums) {
  AddChunk(c, threshold, sums);
}

// diff2 and all_close, always of float32 casts.
struct SingleSums {
  float squares = 0, golden = 0;
  uint64_t close = 0;
};

// Like numpy.testing.assert_allclose: NaN at the same places is equal.
inline bool IsClose(float s, float b, float limit) {
  if (s != s || b != b) return s != s && b != b;
  if (s == b) return true;
  const bool finite = s - s == 0 && b - b == 0;
  return finite && std::fabs(s - b) <= limit + limit * std::fabs(b);
}

ASSAY_WIDE void AddSingle(const ChunkPair<float>& c, float limit,
                          SingleSums& sums) {
  const float *s = c.my, *b = c.golden;
  sums.squares += ChunkSum<float>(
      [&](size_t i) { return (s[i] - b[i]) * (s[i] - b[i]); }, c.n);
  sums.golden += ChunkSum<float>([&](size_t i) { return b[i] * b[i]; }, c.n);
  uint64_t close = 0;
  for (size_t i = 0; i < c.n; ++i) close += IsClose(s[i], b[i], limit) ? 1 : 0;
  sums.close += close;
}

template <typename T>
double Mean(T sum, uint64_t n) {
  return static_cast<T>(static_cast<double>(sum) / static_cast<double>(n));
}

template <typename T>
Status AskRaw(const PairChunks& pair, double threshold, TecoNumbers& out) {
  const uint64_t n = pair.my_count();
  Sums<T> sums;
  RETURN_IF_ERROR(pair.ForEach<T>(
      n, [&](const ChunkPair<T>& c) { Add(c, threshold, sums); }));
  out.nan_inf = sums.not_finite > 0;
  out.diff1 = sums.difference / sums.golden;
  out.mae = Mean(sums.difference, n);
  out.mape = Mean(sums.ratio, n);
  out.diff3_max = std::isnan(sums.diff3) ? sums.diff3 : sums.diff3_max;
  out.diff3_mean = Mean(sums.diff3, n);
  out.greater = sums.greater;
  out.less = sums.less;
  out.diff_acc = static_cast<double>(sums.other_whole) / static_cast<double>(n);
  return Done{};
}

std::string TupleText(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ","),
                     shape.size() == 1 ? "," : "");
}

}  // namespace

Result<TecoNumbers> AskTeco(const MeasureJob& job, double threshold) {
  ASSIGN_OR_RETURN(const PairChunks pair, PairChunks::Open(job));
  TecoNumbers out;
  const Shape &s = job.target.shape, &b = job.golden.shape;
  const uint64_t n = pair.my_count();
  if (n != pair.golden_count() || (s != b && n > 1)) {
    out.message = fmt::format(
        "operands could not be broadcast together with shapes {} {} ",
        TupleText(s), TupleText(b));
    return out;
  }
  const bool wide =
      job.target.dtype() == DType::kF64 || job.golden.dtype() == DType::kF64;
  RETURN_IF_ERROR(wide ? AskRaw<double>(pair, threshold, out)
                       : AskRaw<float>(pair, threshold, out));
  SingleSums single;
  RETURN_IF_ERROR(pair.ForEach<float>(n, [&](const ChunkPair<float>& c) {
    AddSingle(c, static_cast<float>(threshold), single);
  }));
  out.diff2 = std::sqrt(double{single.squares / single.golden});
  out.all_close = single.close == n;
  return out;
}

namespace {

std::string Diff4(const TecoNumbers& t) {
  const uint64_t different = t.greater + t.less;
  if (different == 0) return "(-1, -1, 0)";
  const auto share = [&](uint64_t count) {
    return ReprText(static_cast<double>(count) /
                    static_cast<double>(different));
  };
  return fmt::format("({}, {}, {})", share(t.greater), share(t.less),
                     different);
}

Result<Cells> CellsOf(const MetricPair& pair) {
  ASSIGN_OR_RETURN(const TecoNumbers t, AskTeco(pair.job, 1e-6));
  if (!t.message.empty()) return Cells{{"message", t.message}};
  return Cells{{"nan_inf", BoolText(t.nan_inf)},
               {"diff1", ReprText(t.diff1)},
               {"diff2", ReprText(t.diff2)},
               {"diff3_max", ReprText(t.diff3_max)},
               {"diff3_mean", ReprText(t.diff3_mean)},
               {"diff4", Diff4(t)},
               {"mae", ReprText(t.mae)},
               {"mape", ReprText(t.mape)},
               {"diff_acc", ReprText(t.diff_acc)},
               {"all_close", BoolText(t.all_close)}};
}

}  // namespace

extern constinit const MetricGroup kTecoGroup = {
    .name = "teco",
    .summary = "the numbers of dump_tools.py",
    .cells = CellsOf,
};

}  // namespace assay
