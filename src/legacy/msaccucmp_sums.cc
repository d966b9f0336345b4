#include "legacy/msaccucmp_sums.h"

#include <algorithm>
#include <initializer_list>

#include "legacy/lanes.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

using Sums = MsaccucmpSums;
using Chunk = ChunkPair<float>;

class FirstTerm {
 public:
  static constexpr size_t kSingle = 5, kWide = 2;

  FirstTerm(const Chunk& chunk, const Sums& sums)
      : chunk_(chunk),
        my_max_(sums.my.max),
        golden_max_(sums.golden.max),
        difference_(sums.max_difference),
        relative_(sums.max_relative),
        my_min_(sums.my.min),
        golden_min_(sums.golden.min) {}

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
    return {{m * m, g * g, d, d * d, e}, {Widened(m), Widened(g)}};
  }

  void Give(Sums& sums) const {
    sums.my.max = my_max_.Value();
    sums.my.min = my_min_.Value();
    sums.golden.max = golden_max_.Value();
    sums.golden.min = golden_min_.Value();
    sums.max_difference = difference_.Value();
    sums.max_relative = relative_.Value();
  }

 private:
  static constexpr float kLeast = static_cast<float>(kEps64);
  Chunk chunk_;
  LaneExtreme<Larger> my_max_, golden_max_, difference_, relative_;
  LaneExtreme<Smaller> my_min_, golden_min_;
};

ASSAY_WIDE void AddFirst(const Chunk& c, Sums& sums) {
  FirstTerm term(c, sums);
  const auto [single, wide] = LaneSumsOf(term, c.n);
  sums.my.squares += single[0];
  sums.golden.squares += single[1];
  sums.difference += single[2];
  sums.squares += single[3];
  sums.relative += single[4];
  sums.my.sum += wide[0];
  sums.golden.sum += wide[1];
  term.Give(sums);
}

float Range(const Sums::Side& side) {
  const float range = side.max - side.min;  // of infinities: NaN
  return range == 0 ? 1 : range;
}

// x brought to [0, 1] by its side's range, never quite 0.
template <typename Quotient>
struct Scale {
  float low;
  Quotient range;

  explicit Scale(const Sums::Side& side)
      : low(side.max - side.min == 0 ? 0 : side.min), range(Range(side)) {}

  template <typename F>
  ASSAY_LANES F operator()(const F& x) const {
    const F scaled = range(x - low);
    return scaled < kEps32 ? F{} + kEps32 : scaled;
  }
};

template <typename Quotient>
struct SecondTerm {
  static constexpr size_t kSingle = 3, kWide = 2;

  const Chunk& chunk;
  Scale<Quotient> my_scale, golden_scale;
  Quotient my_norm, golden_norm;
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
    const WideOf<F> dm = Widened(m) - my_mean, dg = Widened(g) - golden_mean;
    return {{my_norm(m) * golden_norm(g), my_scale(m), golden_scale(g)},
            {dm * dm, dg * dg}};
  }
};

template <typename Quotient>
ASSAY_LANES void AddSecond(const Chunk& c, Sums& sums) {
  const SecondTerm<Quotient> term(c, sums);
  const auto [single, wide] = LaneSumsOf(term, c.n);
  sums.cosine += single[0];
  sums.my.scaled += single[1];
  sums.golden.scaled += single[2];
  sums.my.centred += wide[0];
  sums.golden.centred += wide[1];
}

template <typename Quotient>
struct ThirdTerm {
  static constexpr size_t kSingle = 1, kWide = 0;

  const Chunk& chunk;
  Scale<Quotient> my_scale, golden_scale;
  Quotient my_sum, golden_sum;

  ThirdTerm(const Chunk& c, const Sums& sums)
      : chunk(c),
        my_scale(sums.my),
        golden_scale(sums.golden),
        my_sum(sums.my.scaled),
        golden_sum(sums.golden.scaled) {}

  template <typename F>
  ASSAY_LANES LaneTerms<F, kSingle, kWide> operator()(size_t i) const {
    const F p = my_sum(my_scale(Load<F>(chunk.my + i)));
    const F q = golden_sum(golden_scale(Load<F>(chunk.golden + i)));
    return {{p * Logarithm<F>(p / q)}, {}};
  }
};

template <typename Quotient>
ASSAY_LANES void AddThird(const Chunk& c, Sums& sums) {
  const ThirdTerm<Quotient> term(c, sums);
  sums.divergence += LaneSumsOf(term, c.n).single[0];
}

ASSAY_WIDE void SecondExact(const Chunk& c, Sums& sums) {
  AddSecond<Division>(c, sums);
}
ASSAY_WIDE void SecondQuick(const Chunk& c, Sums& sums) {
  AddSecond<Reciprocal>(c, sums);
}
ASSAY_WIDE void ThirdExact(const Chunk& c, Sums& sums) {
  AddThird<Division>(c, sums);
}
ASSAY_WIDE void ThirdQuick(const Chunk& c, Sums& sums) {
  AddThird<Reciprocal>(c, sums);
}

// A maximum of numbers of which one is NaN is NaN, and so is their sum.
void KeepNaN(Sums& sums) {
  if (std::isnan(sums.difference)) sums.max_difference = sums.difference;
  if (std::isnan(sums.relative)) sums.max_relative = sums.relative;
  for (Sums::Side* side : {&sums.my, &sums.golden}) {
    if (std::isnan(side->squares)) side->max = side->min = side->squares;
  }
}

// A reciprocal serves where it is an ordinary number, and where there are so
// many terms that single roundings do not show in the sixth decimal.
bool Quick(const Sums& sums, std::initializer_list<float> divisors) {
  return sums.n > kNumpyChunk && std::ranges::all_of(divisors, [](float d) {
           return d > 0x1p-100F && d < 0x1p100F;
         });
}

Status SecondPass(const PairChunks& pair, Sums& sums) {
  const Sums::Side &my = sums.my, &golden = sums.golden;
  const bool quick =
      Quick(sums, {my.norm(), golden.norm(), Range(my), Range(golden)});
  RETURN_IF_ERROR(pair.ForEach<float>(sums.n, [&](const Chunk& c) {
    quick ? SecondQuick(c, sums) : SecondExact(c, sums);
  }));
  if (quick) {
    sums.cosine /= static_cast<float>(Reciprocal(my.norm()).factor() *
                                      Reciprocal(golden.norm()).factor());
  }
  return Done{};
}

// p and q come out too large by known factors a and b, so their divergence as
// a KL + a log(a / b).
Status ThirdPass(const PairChunks& pair, Sums& sums) {
  const Sums::Side &my = sums.my, &golden = sums.golden;
  const bool quick =
      Quick(sums, {Range(my), Range(golden), my.scaled, golden.scaled});
  RETURN_IF_ERROR(pair.ForEach<float>(sums.n, [&](const Chunk& c) {
    quick ? ThirdQuick(c, sums) : ThirdExact(c, sums);
  }));
  if (quick) {
    const double a = Reciprocal(my.scaled).factor();
    const double b = Reciprocal(golden.scaled).factor();
    sums.divergence = static_cast<float>(sums.divergence / a - std::log(a / b));
  }
  return Done{};
}

}  // namespace

Result<MsaccucmpSums> SumMsaccucmp(const PairChunks& pair, uint64_t n,
                                   int passes) {
  Sums sums = {.n = n};
  RETURN_IF_ERROR(
      pair.ForEach<float>(n, [&](const Chunk& c) { AddFirst(c, sums); }));
  KeepNaN(sums);
  if (passes > 1) RETURN_IF_ERROR(SecondPass(pair, sums));
  if (passes > 2) RETURN_IF_ERROR(ThirdPass(pair, sums));
  return sums;
}

}  // namespace assay
