#include "judge/odd_slice.h"

#include <cmath>

#include "judge/constants.h"
#include "judge/usual.h"

namespace assay {
namespace {

// The factors of all indices around their middle, by one norm.
struct Factors {
  std::vector<double> off;  // from the middle
  double spread = 0;

  explicit Factors(std::vector<double> factors) : off(std::move(factors)) {
    const Usual usual = UsualOf(off);
    for (double& x : off) x -= usual.middle;
    spread = usual.spread;
  }
};

double Ratio(double a, double b) { return b > 0 ? a / b : 0; }

template <typename Of>
std::vector<double> Each(const AxisSums& axis, const Of& of) {
  std::vector<double> out;
  for (const SliceSums& slice : axis.slices) out.push_back(of(slice));
  return out;
}

// By squares and by sizes: one large element makes a factor of the first alone.
struct Profile {
  Factors squares, sizes;
  double middle = 0;  // sum of squares of an index
  double all = 0;     // of the tensor

  explicit Profile(const AxisSums& axis)
      : squares(
            Each(axis, [](const SliceSums& s) { return Ratio(s.gd, s.gg); })),
        sizes(Each(axis,
                   [](const SliceSums& s) { return Ratio(s.along, s.size); })),
        middle(Median(Each(axis, [](const SliceSums& s) { return s.gg; }))) {
    for (const SliceSums& slice : axis.slices) all += slice.gg;
  }
};

// Part of an index' error that its factor explains.
double Explained(const SliceSums& s) {
  return s.gg > 0 && s.dd > 0 ? s.gd * s.gd / s.gg / s.dd : 0;
}

bool IsOdd(const SliceSums& s, const Profile& profile, size_t i,
           double roundoff) {
  const double off = std::fabs(profile.squares.off[i]);
  const double by_size = std::fabs(profile.sizes.off[i]);
  const double noise = roundoff / 4;
  const double agree = profile.sizes.off[i] / profile.squares.off[i];
  return off >= kOddSlice * roundoff && Explained(s) >= kMostlyScale &&
         off >= kOddSpreads * (profile.squares.spread + noise) &&
         by_size >= kOddSpreads * (profile.sizes.spread + noise) &&
         std::fabs(agree - 1) <= kOddAgree && s.peak <= kOddPeak * s.gg &&
         s.gg >= kOddLeast * profile.middle;
}

}  // namespace

std::optional<OddSlice> FindOddSlice(std::span<const AxisSums> axes,
                                     double roundoff) {
  std::optional<OddSlice> best;
  for (const AxisSums& axis : axes) {
    const Profile profile(axis);
    for (size_t i = 0; i < axis.slices.size(); ++i) {
      const SliceSums& slice = axis.slices[i];
      const double off = std::fabs(profile.squares.off[i]);
      if (best && off <= best->off) continue;
      if (!IsOdd(slice, profile, i, roundoff)) continue;
      best = OddSlice{axis.axis, i, off, Ratio(slice.dd, profile.all)};
    }
  }
  return best;
}

bool Shows(std::span<const AxisSums> axes, const OddSlice& odd,
           bool same_shape) {
  for (const AxisSums& axis : axes) {
    const Profile profile(axis);
    for (size_t i = 0; i < axis.slices.size(); ++i) {
      const SliceSums& slice = axis.slices[i];
      const double off = std::fabs(profile.squares.off[i]);
      const bool here = same_shape && axis.axis == odd.axis && i == odd.index;
      if (here && Ratio(slice.dd, profile.all) >= odd.part / 4) return true;
      if (here && off >= odd.off / 3) return true;
      if (here || Explained(slice) < 0.5) continue;
      // Moved to another index it keeps its factor.
      const bool moved = std::fabs(off - odd.off) <= odd.off / 4;
      if (same_shape ? moved : off >= odd.off / 3) return true;
    }
  }
  return false;
}

}  // namespace assay
