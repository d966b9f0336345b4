#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/pair_stats.h"

namespace assay {

// The statistics of a pair by the book, in one plain loop: what every kernel
// must agree with. `G` and `T` are both real or both integers.
template <typename G, typename T>
class PlainStats {
 public:
  PairStats Run(const std::vector<G>& golden, const std::vector<T>& target) {
    out_.golden_kind = Kind<G>();
    out_.target_kind = Kind<T>();
    if constexpr (std::is_same_v<G, T> && std::is_integral_v<G>) {
      out_.diff_kind = NumberKind::kUnsigned;
    }
    for (size_t i = 0; i < golden.size(); ++i) Add(golden[i], target[i], i);
    out_.golden = MomentsOf(g_);
    out_.target = MomentsOf(t_);
    out_.sum_gt = static_cast<double>(gt_);
    out_.sum_dd = static_cast<double>(dd_);
    out_.sum_abs = static_cast<double>(abs_);
    out_.sum_rel = static_cast<double>(rel_);
    return out_;
  }

 private:
  template <typename V>
  static constexpr NumberKind Kind() {
    if (std::is_floating_point_v<V>) return NumberKind::kReal;
    return std::is_signed_v<V> ? NumberKind::kSigned : NumberKind::kUnsigned;
  }
  template <typename V>
  static RawNumber Raw(V v) {
    if constexpr (std::is_floating_point_v<V>) {
      return {.real = v + 0.0};
    } else {
      return {.uint = static_cast<uint64_t>(v)};
    }
  }

  void Add(G g, T t, size_t i) {
    ++out_.count;
    out_.nan_golden += g != g;
    out_.nan_target += t != t;
    const bool finite = std::isfinite(static_cast<double>(g)) &&
                        std::isfinite(static_cast<double>(t));
    if (finite) return Use(g, t, i);
    out_.inf_golden += std::isinf(static_cast<double>(g));
    out_.inf_target += std::isinf(static_cast<double>(t));
    out_.equal += static_cast<double>(g) == static_cast<double>(t);
    const bool alike = (g != g && t != t) || Raw(g).uint == Raw(t).uint;
    if (!alike && out_.one_sided_at == PairStats::kNowhere) {
      out_.one_sided_at = i;
    }
  }

  // |g-t|: exact for integers, rounded once for doubles.
  void Use(G g, T t, size_t i) {
    if constexpr (std::is_integral_v<G>) {
      const __int128 d = __int128{g} - __int128{t};
      TakeAbs({.uint = static_cast<uint64_t>(d < 0 ? -d : d)},
              std::fabs(static_cast<double>(d)), i);
      Sum(g, t, std::fabs(static_cast<double>(d)), i);
    } else {
      const double d = std::fabs(double{g} - double{t});
      TakeAbs({.real = d}, d, i);
      Sum(g, t, d, i);
    }
    if (out_.used++ == 0) {
      out_.min_golden = out_.max_golden = Raw(g);
      out_.min_target = out_.max_target = Raw(t);
    }
    Spread(Raw(g), Kind<G>(), out_.min_golden, out_.max_golden);
    Spread(Raw(t), Kind<T>(), out_.min_target, out_.max_target);
  }

  void TakeAbs(RawNumber exact, double d, size_t i) {
    out_.equal += d == 0;
    const bool real = out_.diff_kind == NumberKind::kReal;
    const RawNumber mine = real ? RawNumber{.real = d} : exact;
    if (out_.used > 0 && !Less(out_.max_abs, mine, out_.diff_kind)) return;
    out_.max_abs = mine;
    out_.max_abs_at = i;
  }

  void Sum(G golden, T target, double d, size_t i) {
    const auto g = static_cast<double>(golden), t = static_cast<double>(target);
    g_.push_back(g), t_.push_back(t);
    gt_ += static_cast<long double>(g) * t;
    dd_ += static_cast<long double>(d) * d;
    abs_ += d;
    out_.close += d <= 1e-8 + 1e-5 * std::fabs(g);
    if (g == 0) {
      ++out_.rel_undefined;
      return;
    }
    const double rel = d / std::fabs(g);
    rel_ += rel;
    out_.within_1e3 += rel <= 1e-3;
    out_.within_5e3 += rel <= 5e-3;
    if (out_.max_rel_at != PairStats::kNowhere && rel <= out_.max_rel) return;
    out_.max_rel = rel;
    out_.max_rel_at = i;
  }

  static void Spread(RawNumber v, NumberKind kind, RawNumber& low,
                     RawNumber& high) {
    if (Less(v, low, kind)) low = v;
    if (Less(high, v, kind)) high = v;
  }

  static Moments MomentsOf(const std::vector<double>& values) {
    if (values.empty()) return {};
    long double mean = 0, m2 = 0;
    for (const double v : values) mean += v;
    mean /= static_cast<long double>(values.size());
    for (const double v : values) m2 += (v - mean) * (v - mean);
    return {static_cast<double>(mean), static_cast<double>(m2)};
  }

  PairStats out_;
  std::vector<double> g_, t_;
  long double gt_ = 0, dd_ = 0, abs_ = 0, rel_ = 0;
};

template <typename G, typename T>
PairStats StatsOf(const std::vector<G>& golden, const std::vector<T>& target) {
  return PlainStats<G, T>().Run(golden, target);
}

}  // namespace assay
