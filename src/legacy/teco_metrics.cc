#include "legacy/teco_metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "legacy/arithmetic_type.h"
#include "legacy/chunks.h"
#include "legacy/numpy.h"
#include "legacy/teco_complex.h"
#include "legacy/teco_typed.h"

namespace assay {
namespace {

// Sums in T, the type NumPy computes in.
template <typename T>
struct Sums {
  T difference = 0, golden = 0, ratio = 0, diff3 = 0;
  T squares = 0, golden_squares = 0;
  T diff3_max = 0;
  uint64_t greater = 0, less = 0, other_whole = 0, not_finite = 0;
};

// What a cast to int64 gives on the CPUs the tool ran on.
inline int64_t Whole(double x) {
  return x >= -0x1p63 && x < 0x1p63 ? static_cast<int64_t>(x)
                                    : std::numeric_limits<int64_t>::min();
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
  const Terms<T> diff3(c.n, [&](size_t i) {
    return TecoDiff3(s[i], b[i], double{std::fabs(b[i])} > threshold);
  });
  sums.difference +=
      ChunkSum<T>([&](size_t i) { return std::fabs(s[i] - b[i]); }, c.n);
  sums.golden += ChunkSum<T>([&](size_t i) { return std::fabs(b[i]); }, c.n);
  sums.squares +=
      ChunkSum<T>([&](size_t i) { return (s[i] - b[i]) * (s[i] - b[i]); }, c.n);
  sums.golden_squares +=
      ChunkSum<T>([&](size_t i) { return b[i] * b[i]; }, c.n);
  sums.ratio += ChunkSum<T>(
      [&](size_t i) {
        return std::fabs((s[i] - b[i]) /
                         (std::fabs(b[i]) + static_cast<T>(kTecoEps)));
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
TypedNumber Typed(T value) {
  return {value, 8 * sizeof(T)};
}

template <typename T>
TypedNumber Mean(T sum, uint64_t n) {
  return Typed(
      static_cast<T>(static_cast<double>(sum) / static_cast<double>(n)));
}

template <typename T>
Status AskRaw(const PairChunks& pair, double threshold, TecoNumbers& out) {
  const uint64_t n = pair.my_count();
  Sums<T> sums;
  RETURN_IF_ERROR(pair.ForEach<T>(
      n, [&](const ChunkPair<T>& c) { Add(c, threshold, sums); }));
  out.nan_inf = sums.not_finite > 0;
  out.difference = Typed(sums.difference);
  out.squares = Typed(sums.squares);
  out.golden = Typed(sums.golden);
  out.golden_squares = Typed(sums.golden_squares);
  out.mae = Mean(sums.difference, n);
  out.mape = Mean(sums.ratio, n);
  out.diff3_max = Typed(std::isnan(sums.diff3) ? sums.diff3 : sums.diff3_max);
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

// The shape of two arrays together; none: they do not fit.
std::optional<Shape> TogetherShape(const Shape& a, const Shape& b) {
  Shape out = a.size() >= b.size() ? a : b;
  const Shape& less = a.size() >= b.size() ? b : a;
  const size_t more = out.size() - less.size();
  for (size_t i = 0; i < less.size(); ++i) {
    int64_t& dim = out[more + i];
    if (dim == 1) dim = less[i];
    if (less[i] != 1 && less[i] != dim) return std::nullopt;
  }
  return out;
}

// How a view stands in memory.
ElementMap MapOf(const StoredView& view) {
  if (view.map) return *view.map;
  ElementMap map = {.stored = ElementCount(view.shape).value_or(0)};
  int64_t stride = 1;
  for (size_t i = view.shape.size(); i-- > 0;) {
    map.axes.insert(map.axes.begin(), PlainAxis(view.shape[i], stride));
    stride *= view.shape[i];
  }
  return map;
}

// The view with what is missing repeated: a step of 0 in those dimensions.
StoredView Broadcast(StoredView view, const Shape& to) {
  if (view.shape == to) return view;
  ElementMap map = MapOf(view);
  map.axes.insert(map.axes.begin(), to.size() - view.shape.size(), {});
  for (size_t i = 0; i < to.size(); ++i) {
    if (map.axes[i].extent != to[i]) map.axes[i] = PlainAxis(to[i], 0);
  }
  view.map = std::move(map);
  view.shape = to;
  return view;
}

constexpr std::string_view kNoBoolDifference =
    "numpy boolean subtract, the `-` operator, is not supported, use the "
    "bitwise_xor, the `^` operator, or the logical_xor function instead.";

// Arrays without dimensions are scalars to NumPy, which computes with them and
// Python's numbers in double.
Status AskScalars(const PairChunks& pair, double threshold, TecoNumbers& out) {
  RETURN_IF_ERROR(AskRaw<double>(pair, threshold, out));
  out.difference.bits = out.golden.bits = 32;
  out.mae = Typed(static_cast<float>(out.mae));
  out.diff2 = std::sqrt(out.squares / out.golden_squares);
  return Done{};
}

// In the type that NumPy would choose. Complex arrays against others go by
// their real parts.
Status AskTyped(const PairChunks& pair, const TecoTypes& types,
                double threshold, TecoNumbers& out) {
  const ArithmeticType type = types.both;
  if (type.kind == ArithmeticType::kInteger) {
    return AskTecoIntegers(pair, types, threshold, out);
  }
  if (type.kind == ArithmeticType::kFloat && type.bits == 64) {
    return AskRaw<double>(pair, threshold, out);
  }
  RETURN_IF_ERROR(AskRaw<float>(pair, threshold, out));
  if (type.kind == ArithmeticType::kBool) out.exception = kNoBoolDifference;
  if (type.bits != 16) return Done{};
  return AskTecoHalves(pair, types, out);
}

// The sums of B, where S makes NumPy compute in another type than B's.
Status AskGolden(const StoredView& golden, ArithmeticType own,
                 TecoNumbers& out) {
  const MeasureJob job = {golden, golden};
  ASSIGN_OR_RETURN(const PairChunks pair, PairChunks::Open(job));
  TecoNumbers sums;
  RETURN_IF_ERROR(AskTyped(pair, {own, own}, 0, sums));
  out.golden = sums.golden;
  out.golden_squares = sums.golden_squares;
  return Done{};
}

TypedNumber Ratio(const TypedNumber& a, const TypedNumber& b) {
  const int bits = std::max(a.bits, b.bits);
  const double ratio = a.value / b.value;
  if (bits == 64) return {ratio};
  const auto single = static_cast<float>(ratio);
  return {bits == 32 ? single : ToHalf(single), bits};
}

// The type that B's own sums are made in: those of bool are whole numbers.
ArithmeticType OwnType(DType golden) {
  ArithmeticType type = ArithmeticTypeOf(golden);
  if (type.kind == ArithmeticType::kBool) type.kind = ArithmeticType::kInteger;
  return type;
}

// In the types that NumPy chooses.
Status AskRawNumbers(const MeasureJob& job, const PairChunks& pair,
                     double threshold, TecoNumbers& out) {
  const DType golden = job.golden.dtype();
  const TecoTypes types = {
      Promoted(ArithmeticTypeOf(job.target.dtype()), ArithmeticTypeOf(golden)),
      OwnType(golden)};
  const bool scalars =
      job.golden.shape.empty() && types.both == ArithmeticType{};
  RETURN_IF_ERROR(scalars ? AskScalars(pair, threshold, out)
                          : AskTyped(pair, types, threshold, out));
  if (types.both.kind == ArithmeticType::kFloat && types.golden != types.both) {
    RETURN_IF_ERROR(AskGolden(job.golden, types.golden, out));
  }
  out.diff1 = Ratio(out.difference, out.golden);
  out.diff2_1 = {std::sqrt(Ratio(out.squares, out.golden_squares).value)};
  return AreComplexPairs(job) ? AskTecoComplex(job, threshold, out) : Done{};
}

// diff2 and all_close.
Status AskSingle(const PairChunks& pair, double threshold, TecoNumbers& out) {
  SingleSums single;
  RETURN_IF_ERROR(
      pair.ForEach<float>(pair.my_count(), [&](const ChunkPair<float>& c) {
        AddSingle(c, static_cast<float>(threshold), single);
      }));
  out.diff2 = std::sqrt(double{single.squares / single.golden});
  out.all_close = single.close == pair.my_count();
  return Done{};
}

}  // namespace

std::string TypedNumber::Text() const {
  if (bits == 64) return ReprText(value);
  const auto narrow = static_cast<float>(value);
  return bits == 32 ? Float32Text(narrow) : Float16Text(narrow);
}

Result<TecoNumbers> AskTeco(const MeasureJob& job, double threshold) {
  const Shape &s = job.target.shape, &b = job.golden.shape;
  TecoNumbers out;
  const std::optional<Shape> both = TogetherShape(s, b);
  if (!both) {
    out.message = fmt::format(
        "operands could not be broadcast together with shapes {} {} ",
        TupleText(s), TupleText(b));
    return out;
  }
  const MeasureJob together = {Broadcast(job.golden, *both),
                               Broadcast(job.target, *both)};
  ASSIGN_OR_RETURN(const PairChunks pair, PairChunks::Open(together));
  out.empty = pair.my_count() == 0;
  RETURN_IF_ERROR(AskSingle(pair, threshold, out));
  RETURN_IF_ERROR(AskRawNumbers(together, pair, threshold, out));
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
  const auto text = [&](const TypedNumber& number) {
    return t.exception.empty() ? number.Text() : t.exception;
  };
  constexpr const char* kNoMaximum =
      "zero-size array to reduction operation maximum which has no identity";
  return Cells{{"nan_inf", BoolText(t.nan_inf)},
               {"diff1", text(t.diff1)},
               {"diff2", ReprText(t.diff2)},
               {"diff2_1", t.complex_diff2_1.empty() ? text(t.diff2_1)
                                                     : t.complex_diff2_1},
               {"diff3_max", t.empty ? kNoMaximum : t.diff3_max.Text()},
               {"diff3_mean", t.diff3_mean.Text()},
               {"diff4", Diff4(t)},
               {"mae", text(t.mae)},
               {"mape", text(t.mape)},
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
