#include "legacy/teco_typed.h"

#include "legacy/numpy.h"

namespace assay {
namespace {

using Integers = ChunkPair<int64_t>;

// Sums of integers are exact, and wrap at 64 bits.
struct IntegerSums {
  uint64_t difference = 0, golden = 0, squares = 0, golden_squares = 0;
  double mean = 0, ratio = 0;
  double diff3 = 0, diff3_max = 0;  // in float32 for small types
  uint64_t greater = 0, less = 0;
};

class IntegerPair {
 public:
  IntegerPair(const TecoTypes& types, double threshold)
      : type_(types.both), golden_(types.golden), threshold_(threshold) {}

  void Add(const Integers& c) {
    for (size_t i = 0; i < c.n; ++i) AddExact(c.my[i], c.golden[i]);
    const auto distance = [&](size_t i) { return Minus(c.my[i], c.golden[i]); };
    sums_.mean += ChunkSum<double>(
        [&](size_t i) { return Real(WrappedAbs(distance(i), type_)); }, c.n);
    sums_.ratio += ChunkSum<double>(
        [&](size_t i) {
          const double golden = Golden(c.golden[i]);
          return std::fabs(Real(distance(i)) / (golden + kTecoEps));
        },
        c.n);
    // Times a mask of float32.
    type_.bits <= 16 ? AddDiff3<float>(c) : AddDiff3<double>(c);
  }

  void Finish(uint64_t n, TecoNumbers& out) const {
    const auto count = static_cast<double>(n);
    const bool narrow = type_.bits <= 16;
    const double mean = sums_.diff3 / count;
    out.difference = {Sum(sums_.difference)};
    out.squares = {Sum(sums_.squares)};
    out.golden = {SumOf(sums_.golden, golden_)};
    out.golden_squares = {SumOf(sums_.golden_squares, golden_)};
    out.mae = {sums_.mean / count};
    out.mape = {sums_.ratio / count};
    out.diff3_max = {sums_.diff3_max, narrow ? 32 : 64};
    out.diff3_mean = {narrow ? static_cast<float>(mean) : mean,
                      narrow ? 32 : 64};
    out.greater = sums_.greater;
    out.less = sums_.less;
    out.diff_acc = static_cast<double>(sums_.greater + sums_.less) / count;
  }

 private:
  int64_t Minus(int64_t a, int64_t b) const {
    return Wrapped(static_cast<uint64_t>(a) - static_cast<uint64_t>(b), type_);
  }
  static uint64_t Square(int64_t x, ArithmeticType type) {
    const auto bits = static_cast<uint64_t>(x);
    return static_cast<uint64_t>(Wrapped(bits * bits, type));
  }
  double Real(int64_t x) const { return Sum(static_cast<uint64_t>(x)); }
  // |B|
  double Golden(int64_t x) const {
    return SumOf(static_cast<uint64_t>(WrappedAbs(x, golden_)), golden_);
  }
  double Sum(uint64_t x) const { return SumOf(x, type_); }
  static double SumOf(uint64_t x, ArithmeticType type) {
    return type.is_unsigned ? static_cast<double>(x)
                            : static_cast<double>(static_cast<int64_t>(x));
  }
  bool Less(int64_t a, int64_t b) const {
    return type_.is_unsigned
               ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b)
               : a < b;
  }

  void AddExact(int64_t s, int64_t b) {
    const int64_t d = Minus(s, b);
    sums_.difference += static_cast<uint64_t>(WrappedAbs(d, type_));
    sums_.golden += static_cast<uint64_t>(WrappedAbs(b, golden_));
    sums_.squares += Square(d, type_);
    sums_.golden_squares += Square(b, golden_);
    sums_.greater += Less(b, s) ? 1 : 0;
    sums_.less += Less(s, b) ? 1 : 0;
  }

  template <typename T>
  void AddDiff3(const Integers& c) {
    const Terms<T> diff3(c.n, [&](size_t i) {
      const bool above = Golden(c.golden[i]) > threshold_;
      return TecoDiff3<T>(static_cast<T>(Real(c.my[i])),
                          static_cast<T>(Real(c.golden[i])), above);
    });
    sums_.diff3 = static_cast<T>(sums_.diff3) + diff3.Sum();
    sums_.diff3_max = diff3.Max(static_cast<T>(sums_.diff3_max));
  }

  ArithmeticType type_, golden_;
  double threshold_;
  IntegerSums sums_;
};

struct HalfSums {
  float difference = 0, golden = 0, squares = 0, golden_squares = 0;
  float mean = 0, ratio = 0;  // means are summed in float32
  double whole_ratio = 0;
};

// Every result is rounded to float16, the sum of a chunk, too. Beside `whole`
// numbers the small number makes |B| double.
ASSAY_WIDE void AddHalves(const ChunkPair<float>& c, bool whole,
                          HalfSums& sums) {
  const Terms<float> difference(
      c.n, [&](size_t i) { return std::fabs(ToHalf(c.my[i] - c.golden[i])); });
  const Terms<float> golden(c.n,
                            [&](size_t i) { return std::fabs(c.golden[i]); });
  const Terms<float> squares(
      c.n, [&](size_t i) { return ToHalf(difference[i] * difference[i]); });
  const Terms<float> golden_squares(
      c.n, [&](size_t i) { return ToHalf(golden[i] * golden[i]); });
  // The small number added to |B| is 0 in float16.
  const Terms<float> ratio(
      c.n, [&](size_t i) { return ToHalf(difference[i] / golden[i]); });
  sums.difference = ToHalf(sums.difference + difference.Sum());
  sums.golden = ToHalf(sums.golden + golden.Sum());
  sums.squares = ToHalf(sums.squares + squares.Sum());
  sums.golden_squares = ToHalf(sums.golden_squares + golden_squares.Sum());
  sums.mean += difference.Sum();
  sums.ratio += ratio.Sum();
  if (!whole) return;
  sums.whole_ratio += ChunkSum<double>(
      [&](size_t i) {
        return double{difference[i]} / (double{golden[i]} + kTecoEps);
      },
      c.n);
}

}  // namespace

Status AskTecoIntegers(const PairChunks& pair, const TecoTypes& types,
                       double threshold, TecoNumbers& out) {
  IntegerPair integers(types, threshold);
  RETURN_IF_ERROR(pair.ForEach<int64_t>(
      pair.my_count(), [&](const Integers& c) { integers.Add(c); }));
  integers.Finish(pair.my_count(), out);
  return Done{};
}

Status AskTecoHalves(const PairChunks& pair, const TecoTypes& types,
                     TecoNumbers& out) {
  const uint64_t n = pair.my_count();
  const bool whole = types.golden.kind == ArithmeticType::kInteger;
  HalfSums sums;
  RETURN_IF_ERROR(pair.ForEach<float>(
      n, [&](const ChunkPair<float>& c) { AddHalves(c, whole, sums); }));
  out.difference = {sums.difference, 16};
  out.squares = {sums.squares, 16};
  out.golden = {sums.golden, 16};
  out.golden_squares = {sums.golden_squares, 16};
  out.mae = {ToHalf(MeanOf(sums.mean, n)), 16};
  out.mape = {ToHalf(MeanOf(sums.ratio, n)), 16};
  if (whole) out.mape = {sums.whole_ratio / static_cast<double>(n)};
  return Done{};
}

}  // namespace assay
