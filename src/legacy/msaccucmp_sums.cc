#include "legacy/msaccucmp_sums.h"

#include <cmath>

#include "legacy/msaccucmp_terms.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

using Sums = MsaccucmpSums;
using Chunk = MsaccucmpChunk;

void AddDifferences(const DifferencePart& part, Sums& sums) {
  const auto& single = part.sums.single;
  sums.my.squares += single[0];
  sums.golden.squares += single[1];
  sums.difference += single[2];
  sums.squares += single[3];
  sums.relative += single[4];
  Larger::Keep(part.difference, sums.max_difference);
  Larger::Keep(part.relative, sums.max_relative);
}

void AddFirst(const FirstPart& part, Sums& sums) {
  AddDifferences(part.differences, sums);
  sums.my.sum += part.wide[0];
  sums.golden.sum += part.wide[1];
  sums.my.wide_squares += part.wide[2];
  sums.golden.wide_squares += part.wide[3];
  Larger::Keep(part.my_max, sums.my.max);
  Smaller::Keep(part.my_min, sums.my.min);
  Larger::Keep(part.golden_max, sums.golden.max);
  Smaller::Keep(part.golden_min, sums.golden.min);
}

// A maximum of numbers of which one is NaN is NaN, and so is their sum.
void KeepNaN(Sums& sums) {
  if (std::isnan(sums.difference)) sums.max_difference = sums.difference;
  if (std::isnan(sums.relative)) sums.max_relative = sums.relative;
  for (Sums::Side* side : {&sums.my, &sums.golden}) {
    if (std::isnan(side->squares)) side->max = side->min = side->squares;
  }
}

// The squares of which the mean's are taken away.
double PlainCentred(const Sums::Side& side, uint64_t n) {
  const double mean = side.mean(n);
  return side.wide_squares - static_cast<double>(n) * mean * mean;
}

// Whether QuickOf overflows nowhere, and what is centred plainly keeps more
// digits than are printed.
bool IsOrdinary(const Sums::Side& side, uint64_t n) {
  const auto middling = [](float x) { return x > 0x1p-40F && x < 0x1p60F; };
  const double mean = side.mean(n);
  const double variance = side.centred / static_cast<double>(n);
  return middling(side.norm()) && middling(side.max - side.min) &&
         variance < 1e12 && mean * mean < 1e6 * variance;
}

float AsFloat(RawNumber number, NumberKind kind) {
  return static_cast<float>(Number(number, kind).AsDouble());
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
    for (Sums::Side* side : {&sums_.my, &sums_.golden}) {
      side->centred = PlainCentred(*side, sums_.n);
    }
    return Done{};
  }

  Status FirstAndQuick(const MsaccucmpKnown& known, QuickSums& quick) {
    struct Part {
      DifferencePart differences;
      QuickPart quick;
    };
    sums_.my = known.my;
    sums_.golden = known.golden;
    return Next(
        [](const Chunk& c, const Sums& found) {
          return Part{DifferencesOf(c), QuickOf(c, found)};
        },
        [&](const Part& part) {
          AddDifferences(part.differences, sums_);
          quick.Add(part.quick);
        });
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
    sums_.cosine = quick.cosine / (sums_.my.norm() * sums_.golden.norm());
    sums_.divergence = static_cast<float>(quick.divergence / quick.a +
                                          std::log(quick.b / quick.a));
  }

  Status Second() {
    sums_.my.centred = sums_.golden.centred = 0;
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
  template <typename Of, typename Add>
  Status Next(const Of& of, const Add& add) {
    return pair_.Fold<float>(
        sums_.n, threads_,
        [&of, found = sums_](const Chunk& c) { return of(c, found); }, add);
  }

  const PairChunks& pair_;
  int threads_;
  Sums sums_;
};

}  // namespace

std::optional<MsaccucmpKnown> KnownOf(const PairStats* stats,
                                      const MeasureJob& job) {
  const DType golden = job.golden.dtype(), my = job.target.dtype();
  const bool parts = IsComplex(golden) || IsComplex(my);
  if (stats == nullptr || stats->used != stats->count || parts ||
      ChooseTile(golden, my) != TileType::kF32) {
    return std::nullopt;
  }
  const PairStats& s = *stats;
  const auto side = [&](const Moments& moments, RawNumber max, RawNumber min,
                        NumberKind kind) {
    return Sums::Side{.max = AsFloat(max, kind),
                      .min = AsFloat(min, kind),
                      .sum = moments.mean * static_cast<double>(s.count),
                      .centred = moments.m2};
  };
  return MsaccucmpKnown{
      side(s.target, s.max_target, s.min_target, s.target_kind),
      side(s.golden, s.max_golden, s.min_golden, s.golden_kind)};
}

Result<MsaccucmpSums> SumMsaccucmp(const PairChunks& pair, uint64_t n,
                                   int passes,
                                   const std::optional<MsaccucmpKnown>& known,
                                   int threads) {
  Passes all(pair, n, threads);
  QuickSums quick;
  const bool at_once = passes > 2 && known && n > kNumpyChunk;
  RETURN_IF_ERROR(at_once ? all.FirstAndQuick(*known, quick) : all.First());
  if (passes > 2 && all.CanBeQuick()) {
    if (!at_once) RETURN_IF_ERROR(all.Quick(quick));
    all.Use(quick);
    return all.sums();
  }
  if (passes > 1) RETURN_IF_ERROR(all.Second());
  if (passes > 2) RETURN_IF_ERROR(all.Third());
  return all.sums();
}

}  // namespace assay
