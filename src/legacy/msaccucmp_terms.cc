#include "legacy/msaccucmp_terms.h"

#include <limits>

#include "legacy/numpy.h"

namespace assay {
namespace {

using Sums = MsaccucmpSums;
using Chunk = MsaccucmpChunk;

class DifferenceTerm {
 public:
  static constexpr size_t kSingle = 5, kWide = 0;
  static constexpr bool kTwoGroups = false;

  explicit DifferenceTerm(const Chunk& chunk) : chunk_(chunk) {}

  template <typename F>
  ASSAY_LANES LaneTerms<F, kSingle, kWide> operator()(size_t i) {
    __builtin_prefetch(chunk_.my + i + kAhead);
    __builtin_prefetch(chunk_.golden + i + kAhead);
    const F m = Load<F>(chunk_.my + i), g = Load<F>(chunk_.golden + i);
    const F d = Magnitude<F>(m - g);
    // 0 where G is next to nothing, or no number.
    const F ratio = Magnitude<F>(m / g - 1.0F);
    const F e = Magnitude<F>(g) > kLeast ? ratio : F{};
    difference_.Keep(d);
    relative_.Keep(e);
    return {{m * m, g * g, d, d * d, e}, {}};
  }

  DifferencePart With(const std::array<float, kSingle>& sums) const {
    return {{sums, {}}, difference_.Value(), relative_.Value()};
  }

 private:
  static constexpr float kLeast = static_cast<float>(kEps64);
  static constexpr size_t kAhead = 2048;  // arrives while others are summed
  Chunk chunk_;
  LaneExtreme<Larger> difference_{0}, relative_{0};
};

class FirstTerm {
 public:
  static constexpr size_t kSingle = DifferenceTerm::kSingle, kWide = 4;
  static constexpr bool kTwoGroups = false;

  explicit FirstTerm(const Chunk& chunk) : chunk_(chunk), differences_(chunk) {}

  template <typename F>
  ASSAY_LANES LaneTerms<F, kSingle, kWide> operator()(size_t i) {
    const F m = Load<F>(chunk_.my + i), g = Load<F>(chunk_.golden + i);
    my_max_.Keep(m);
    my_min_.Keep(m);
    golden_max_.Keep(g);
    golden_min_.Keep(g);
    const WideOf<F> wide_m = LoadWide<F>(chunk_.my + i),
                    wide_g = LoadWide<F>(chunk_.golden + i);
    return {differences_.template operator()<F>(i).single,
            {wide_m, wide_g, wide_m * wide_m, wide_g * wide_g}};
  }

  FirstPart With(const LaneTerms<float, kSingle, kWide>& sums) const {
    return {differences_.With(sums.single),
            sums.wide,
            my_max_.Value(),
            my_min_.Value(),
            golden_max_.Value(),
            golden_min_.Value()};
  }

 private:
  static constexpr float kInf = std::numeric_limits<float>::infinity();
  Chunk chunk_;
  DifferenceTerm differences_;
  LaneExtreme<Larger> my_max_{-kInf}, golden_max_{-kInf};
  LaneExtreme<Smaller> my_min_{kInf}, golden_min_{kInf};
};

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
    return {{m * g, a, b, a * QuickLog<F>(a / b)}, {}};
  }
};

}  // namespace

ASSAY_WIDE DifferencePart DifferencesOf(const Chunk& c) {
  DifferenceTerm term(c);
  const auto sums = LaneSumsOf(term, c.n);
  return term.With(sums.single);
}

ASSAY_WIDE FirstPart FirstOf(const Chunk& c) {
  FirstTerm term(c);
  const auto sums = LaneSumsOf(term, c.n);
  return term.With(sums);
}

ASSAY_WIDE SecondPart SecondOf(const Chunk& c, const Sums& sums) {
  const SecondTerm term(c, sums);
  return LaneSumsOf(term, c.n);
}

ASSAY_WIDE ThirdPart ThirdOf(const Chunk& c, const Sums& sums) {
  const ThirdTerm term(c, sums);
  return LaneSumsOf(term, c.n);
}

ASSAY_WIDE QuickPart QuickOf(const Chunk& c, const Sums& sums) {
  const QuickTerm term(c, sums);
  return LaneSumsOf(term, c.n);
}

}  // namespace assay
