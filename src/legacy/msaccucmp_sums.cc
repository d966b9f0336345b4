#include "legacy/msaccucmp_sums.h"

#include <cmath>

#include "legacy/msaccucmp_terms.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

using Sums = MsaccucmpSums;
using Chunk = MsaccucmpChunk;

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

// Whether QuickOf overflows nowhere, and the plain variance keeps more digits
// than are printed.
bool IsOrdinary(const Sums::Side& side, uint64_t n) {
  const auto middling = [](float x) { return x > 0x1p-40F && x < 0x1p60F; };
  const double mean = side.mean(n), variance = PlainVariance(side, n);
  return middling(side.norm()) && middling(side.max - side.min) &&
         variance < 1e12 && mean * mean < 1e6 * variance;
}

Sums::Limits AsFloats(RawNumber max, RawNumber min, NumberKind kind) {
  return {.max = static_cast<float>(Number(max, kind).AsDouble()),
          .min = static_cast<float>(Number(min, kind).AsDouble())};
}

// What the quick terms add up to.
struct QuickSums {
  float cosine = 0;
  double a = 0, b = 0, divergence = 0;

  void Add(const QuickPart& part) {
    cosine += part.single[0];
    a += part.single[1];
    b += part.single[2];
    divergence += part.single[3];
  }
};

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

  // With the quick terms, as if these were the limits.
  Status FirstAndQuick(const MsaccucmpLimits& limits, QuickSums& quick) {
    struct Part {
      FirstPart first;
      QuickPart quick;
    };
    Sums expected;
    expected.my = {limits.my};
    expected.golden = {limits.golden};
    RETURN_IF_ERROR(pair_.Fold<float>(
        sums_.n, threads_,
        [&](const Chunk& c) {
          return Part{FirstOf(c), QuickOf(c, expected)};
        },
        [&](const Part& part) {
          AddFirst(part.first, sums_);
          quick.Add(part.quick);
        }));
    KeepNaN(sums_);
    return Done{};
  }

  bool HasLimits(const MsaccucmpLimits& limits) const {
    return sums_.my == limits.my && sums_.golden == limits.golden;
  }

  // Where there are so many terms that single roundings do not show in the
  // sixth decimal.
  bool CanBeQuick() const {
    return sums_.n > kNumpyChunk && IsOrdinary(sums_.my, sums_.n) &&
           IsOrdinary(sums_.golden, sums_.n);
  }

  Status Quick(QuickSums& quick) {
    return Next(QuickOf, [&](const QuickPart& part) { quick.Add(part); });
  }

  void Use(const QuickSums& quick) {
    for (Sums::Side* side : {&sums_.my, &sums_.golden}) {
      side->centred =
          PlainVariance(*side, sums_.n) * static_cast<double>(sums_.n);
    }
    sums_.cosine = quick.cosine / (sums_.my.norm() * sums_.golden.norm());
    sums_.divergence = static_cast<float>(quick.divergence / quick.a +
                                          std::log(quick.b / quick.a));
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

std::optional<MsaccucmpLimits> LimitsOf(const PairStats* stats) {
  if (stats == nullptr || stats->used != stats->count) return std::nullopt;
  const PairStats& s = *stats;
  return MsaccucmpLimits{
      .my = AsFloats(s.max_target, s.min_target, s.target_kind),
      .golden = AsFloats(s.max_golden, s.min_golden, s.golden_kind)};
}

Result<MsaccucmpSums> SumMsaccucmp(const PairChunks& pair, uint64_t n,
                                   int passes,
                                   const std::optional<MsaccucmpLimits>& limits,
                                   int threads) {
  Passes all(pair, n, threads);
  QuickSums quick;
  const bool at_once = passes > 2 && limits && n > kNumpyChunk;
  RETURN_IF_ERROR(at_once ? all.FirstAndQuick(*limits, quick) : all.First());
  if (passes > 2 && all.CanBeQuick()) {
    if (!at_once || !all.HasLimits(*limits)) {
      quick = {};
      RETURN_IF_ERROR(all.Quick(quick));
    }
    all.Use(quick);
    return all.sums();
  }
  if (passes > 1) RETURN_IF_ERROR(all.Second());
  if (passes > 2) RETURN_IF_ERROR(all.Third());
  return all.sums();
}

}  // namespace assay
