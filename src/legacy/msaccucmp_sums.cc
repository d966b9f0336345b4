#include "legacy/msaccucmp_sums.h"

#include <cmath>
#include <limits>

#include "legacy/lanes.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

using Sums = MsaccucmpSums;
using Chunk = ChunkPair<float>;

// What the first pass finds in one chunk.
struct FirstPart {
  LaneTerms<float, 5, 4> sums;
  float my_max, my_min, golden_max, golden_min, difference, relative;
};

class FirstTerm {
 public:
  static constexpr size_t kSingle = 5, kWide = 4;
  static constexpr bool kTwoGroups = false;

  explicit FirstTerm(const Chunk& chunk) : chunk_(chunk) {}

  template <typename F>
  ASSAY_LANES LaneTerms<F, kSingle, kWide> operator()(size_t i) {
    const F m = Load<F>(chunk_.my + i), g = Load<F>(chunk_.golden + i);
    const F d = Magnitude<F>(m - g);
    // 0 where G is next to nothing, or no number.
    const F ratio = Magnitude<F>(m / g - 1.0F);
    const F e = Magnitude<F>(g) > kLeast ? ratio : F{};
    my_max_.Keep(m);
    my_min_.Keep(m);
    golden_max_.Keep(g);
    golden_min_.Keep(g);
    difference_.Keep(d);
    relative_.Keep(e);
    const WideOf<F> wide_m = LoadWide<F>(chunk_.my + i),
                    wide_g = LoadWide<F>(chunk_.golden + i);
    return {{m * m, g * g, d, d * d, e},
            {wide_m, wide_g, wide_m * wide_m, wide_g * wide_g}};
  }

  FirstPart With(const LaneTerms<float, kSingle, kWide>& sums) const {
    return {sums,
            my_max_.Value(),
            my_min_.Value(),
            golden_max_.Value(),
            golden_min_.Value(),
            difference_.Value(),
            relative_.Value()};
  }

 private:
  static constexpr float kLeast = static_cast<float>(kEps64);
  static constexpr float kInf = std::numeric_limits<float>::infinity();
  Chunk chunk_;
  LaneExtreme<Larger> my_max_{-kInf}, golden_max_{-kInf}, difference_{0},
      relative_{0};
  LaneExtreme<Smaller> my_min_{kInf}, golden_min_{kInf};
};

ASSAY_WIDE FirstPart FirstOf(const Chunk& c) {
  FirstTerm term(c);
  const auto sums = LaneSumsOf(term, c.n);
  return term.With(sums);
}

void AddFirst(const FirstPart& part, Sums& sums) {
  const auto& [single, wide] = part.sums;
  sums.my.squares += single[0];
  sums.golden.squares += single[1];
  sums.difference += single[2];
  sums.squares += single[3];
  sums.relative += single[4];
  sums.my.sum += wide[0];
  sums.golden.sum += wide[1];
  sums.my.wide_squares += wide[2];
  sums.golden.wide_squares += wide[3];
  Larger::Keep(part.my_max, sums.my.max);
  Smaller::Keep(part.my_min, sums.my.min);
  Larger::Keep(part.golden_max, sums.golden.max);
  Smaller::Keep(part.golden_min, sums.golden.min);
  Larger::Keep(part.difference, sums.max_difference);
  Larger::Keep(part.relative, sums.max_relative);
}

float Range(const Sums::Side& side) {
  const float range = side.max - side.min;  // of infinities: NaN
  return range == 0 ? 1 : range;
}

// x brought to [0, 1] by its side's range, never quite 0.
struct Scale {
  float low, range;

  explicit Scale(const Sums::Side& side)
      : low(side.max - side.min == 0 ? 0 : side.min), range(Range(side)) {}

  template <typename F>
  ASSAY_LANES F operator()(const F& x) const {
    const F scaled = (x - low) / range;
    return scaled < kEps32 ? F{} + kEps32 : scaled;
  }
};

struct SecondTerm {
  static constexpr size_t kSingle = 3, kWide = 2;
  static constexpr bool kTwoGroups = false;

  const Chunk& chunk;
  Scale my_scale, golden_scale;
  float my_norm, golden_norm;
  double my_mean, golden_mean;

  SecondTerm(const Chunk& c, const Sums& sums)
      : chunk(c),
        my_scale(sums.my),
        golden_scale(sums.golden),
        my_norm(sums.my.norm()),
        golden_norm(sums.golden.norm()),
        my_mean(sums.my.mean(sums.n)),
        golden_mean(sums.golden.mean(sums.n)) {}

  template <typename F>
  ASSAY_LANES LaneTerms<F, kSingle, kWide> operator()(size_t i) const {
    const F m = Load<F>(chunk.my + i), g = Load<F>(chunk.golden + i);
    const WideOf<F> dm = LoadWide<F>(chunk.my + i) - my_mean,
                    dg = LoadWide<F>(chunk.golden + i) - golden_mean;
    return {{(m / my_norm) * (g / golden_norm), my_scale(m), golden_scale(g)},
            {dm * dm, dg * dg}};
  }
};

ASSAY_WIDE LaneTerms<float, 3, 2> SecondOf(const Chunk& c, const Sums& sums) {
  const SecondTerm term(c, sums);
  return LaneSumsOf(term, c.n);
}

struct ThirdTerm {
  static constexpr size_t kSingle = 1, kWide = 0;
  static constexpr bool kTwoGroups = false;

  const Chunk& chunk;
  Scale my_scale, golden_scale;
  float my_sum, golden_sum;

  ThirdTerm(const Chunk& c, const Sums& sums)
      : chunk(c),
        my_scale(sums.my),
        golden_scale(sums.golden),
        my_sum(sums.my.scaled),
        golden_sum(sums.golden.scaled) {}

  template <typename F>
  ASSAY_LANES LaneTerms<F, kSingle, kWide> operator()(size_t i) const {
    const F p = my_scale(Load<F>(chunk.my + i)) / my_sum;
    const F q = golden_scale(Load<F>(chunk.golden + i)) / golden_sum;
    return {{p * Logarithm<F>(p / q)}, {}};
  }
};

ASSAY_WIDE LaneTerms<float, 1, 0> ThirdOf(const Chunk& c, const Sums& sums) {
  const ThirdTerm term(c, sums);
  return LaneSumsOf(term, c.n);
}

// Both passes in one, for ordinary numbers. Nothing is divided by norms, ranges
// and sums that all terms share: the first two are factors of a sum, and with
// a and b for what p and q are before they are divided by their sums A and B,
// the divergence is (sum of a log(a / b)) / A + log(B / A).
struct QuickTerm {
  static constexpr size_t kSingle = 4, kWide = 0;
  static constexpr bool kTwoGroups = true;

  // x - low, never quite 0.
  struct Shift {
    float low, least;

    explicit Shift(const Sums::Side& side)
        : low(side.min), least(kEps32 * (side.max - side.min)) {}

    template <typename F>
    ASSAY_LANES F operator()(const F& x) const {
      const F shifted = x - low;
      return shifted > least ? shifted : F{} + least;
    }
  };

  const Chunk& chunk;
  Shift my_shift, golden_shift;

  QuickTerm(const Chunk& c, const Sums& sums)
      : chunk(c), my_shift(sums.my), golden_shift(sums.golden) {}

  template <typename F>
  ASSAY_LANES LaneTerms<F, kSingle, kWide> operator()(size_t i) const {
    const F m = Load<F>(chunk.my + i), g = Load<F>(chunk.golden + i);
    const F a = my_shift(m), b = golden_shift(g);
    return {{m * g, a, b, a * OrdinaryLog<F>(a / b)}, {}};
  }
};

ASSAY_WIDE LaneTerms<float, 4, 0> QuickOf(const Chunk& c, const Sums& sums) {
  const QuickTerm term(c, sums);
  return LaneSumsOf(term, c.n);
}

// A maximum of numbers of which one is NaN is NaN, and so is their sum.
void KeepNaN(Sums& sums) {
  if (std::isnan(sums.difference)) sums.max_difference = sums.difference;
  if (std::isnan(sums.relative)) sums.max_relative = sums.relative;
  for (Sums::Side* side : {&sums.my, &sums.golden}) {
    if (std::isnan(side->squares)) side->max = side->min = side->squares;
  }
}

// The variance by squares of which the mean's is taken away.
double PlainVariance(const Sums::Side& side, uint64_t n) {
  const double mean = side.mean(n);
  return side.wide_squares / static_cast<double>(n) - mean * mean;
}

// Whether QuickTerm overflows nowhere, and the plain variance keeps more digits
// than are printed.
bool IsOrdinary(const Sums::Side& side, uint64_t n) {
  const auto middling = [](float x) { return x > 0x1p-40F && x < 0x1p60F; };
  const double mean = side.mean(n), variance = PlainVariance(side, n);
  return middling(side.norm()) && middling(side.max - side.min) &&
         variance < 1e12 && mean * mean < 1e6 * variance;
}

class Passes {
 public:
  Passes(const PairChunks& pair, uint64_t n, int threads)
      : pair_(pair), threads_(threads), sums_{.n = n} {}

  Status First() {
    RETURN_IF_ERROR(pair_.Fold<float>(
        sums_.n, threads_, FirstOf,
        [&](const FirstPart& part) { AddFirst(part, sums_); }));
    KeepNaN(sums_);
    return Done{};
  }

  // Where there are so many terms that single roundings do not show in the
  // sixth decimal.
  bool CanBeQuick() const {
    return sums_.n > kNumpyChunk && IsOrdinary(sums_.my, sums_.n) &&
           IsOrdinary(sums_.golden, sums_.n);
  }

  Status Quick() {
    double a = 0, b = 0, divergence = 0;
    RETURN_IF_ERROR(Next(QuickOf, [&](const auto& part) {
      sums_.cosine += part.single[0];
      a += part.single[1];
      b += part.single[2];
      divergence += part.single[3];
    }));
    for (Sums::Side* side : {&sums_.my, &sums_.golden}) {
      side->centred =
          PlainVariance(*side, sums_.n) * static_cast<double>(sums_.n);
    }
    sums_.cosine /= sums_.my.norm() * sums_.golden.norm();
    sums_.divergence = static_cast<float>(divergence / a + std::log(b / a));
    return Done{};
  }

  Status Second() {
    return Next(SecondOf, [&](const auto& part) {
      sums_.cosine += part.single[0];
      sums_.my.scaled += part.single[1];
      sums_.golden.scaled += part.single[2];
      sums_.my.centred += part.wide[0];
      sums_.golden.centred += part.wide[1];
    });
  }

  Status Third() {
    return Next(ThirdOf,
                [&](const auto& part) { sums_.divergence += part.single[0]; });
  }

  const Sums& sums() const { return sums_; }

 private:
  // One more pass, which needs what the earlier ones found.
  template <typename Part, typename Add>
  Status Next(Part (*of)(const Chunk&, const Sums&), const Add& add) {
    return pair_.Fold<float>(
        sums_.n, threads_,
        [of, found = sums_](const Chunk& c) { return of(c, found); }, add);
  }

  const PairChunks& pair_;
  int threads_;
  Sums sums_;
};

}  // namespace

Result<MsaccucmpSums> SumMsaccucmp(const PairChunks& pair, uint64_t n,
                                   int passes, int threads) {
  Passes all(pair, n, threads);
  RETURN_IF_ERROR(all.First());
  if (passes > 2 && all.CanBeQuick()) {
    RETURN_IF_ERROR(all.Quick());
    return all.sums();
  }
  if (passes > 1) RETURN_IF_ERROR(all.Second());
  if (passes > 2) RETURN_IF_ERROR(all.Third());
  return all.sums();
}

}  // namespace assay
