#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>

#include "arrays.h"
#include "core/plain_stats.h"
#include "core/same_stats.h"
#include "kernel/reduced.h"

namespace assay {
namespace {

constexpr size_t kSizes[] = {0, 1, 7, 8, 9, 63, 4095, 4096, 4097, 8191, 8192};

// Everything but the padding at the end.
std::string Image(const PairStats& s) {
  constexpr size_t kLength = offsetof(PairStats, fraction_bits_target) + 1;
  return std::string(reinterpret_cast<const char*>(&s), kLength);
}

template <typename T>
std::vector<T> Specials() {
  using L = std::numeric_limits<T>;
  return {L::quiet_NaN(),
          L::infinity(),
          -L::infinity(),
          T(0),
          -T(0),
          L::denorm_min(),
          -L::denorm_min(),
          L::min(),
          L::max(),
          L::lowest(),
          T(1),
          L::max() / 4,
          L::min() / 2};
}

// Named kinds of data; in the first ones the target is near the golden side.
template <typename T>
std::vector<T> Golden(int kind, size_t n) {
  std::vector<T> g = Random<T>(n, 3);
  const std::vector<T> specials = Specials<T>();
  return Changed(g, [&](double x, size_t i) -> double {
    switch (kind) {
      case 0:
        return x;  // plain
      case 1:
        return i % 3 == 0 ? 0.0 : x;  // zeros
      case 2:
        return x + 1e6;  // a mean far from zero
      case 3:
        return i % 5 == 1 ? specials[i / 5 % specials.size()] : x;
      case 4:
        return x * std::numeric_limits<T>::min();  // near the smallest
      case 5:
        return x * (std::numeric_limits<T>::max() / 16);  // and the largest
      case 6:
        return NAN;
      default:
        return x;  // the target is what is unusual
    }
  });
}

template <typename T>
std::vector<T> Target(int kind, const std::vector<T>& golden) {
  const std::vector<T> specials = Specials<T>();
  return Changed(golden, [&](double x, size_t i) -> double {
    if (kind == 3 && i % 7 == 2) return specials[i / 7 % specials.size()];
    if (kind == 7) return golden[golden.size() - 1 - i];  // unlike
    if (kind == 8) return 1e6 * x;                        // out of all scale
    if (kind == 9) return i % 2 == 0 ? -x : 1e-3 * x;     // opposite
    return i % 4 == 0 ? x : x * (1 + 1e-3 * static_cast<double>(i % 11));
  });
}

constexpr int kKinds = 10;

template <typename T>
void ExpectOneResult() {
  const ReduceKernels& scalar = *AvailableKernels().back();
  for (const ReduceKernels* kernels : AvailableKernels()) {
    for (int kind = 0; kind < kKinds; ++kind) {
      for (const size_t n : kSizes) {
        const auto g = Golden<T>(kind, n), t = Target(kind, g);
        ASSERT_TRUE(Image(Reduced(*kernels, g, t, 0, n)) ==
                    Image(Reduced(scalar, g, t, 0, n)))
            << kernels->name << " kind " << kind << " n " << n;
      }
    }
  }
}

TEST(Reduce, NoInstructionSetChangesADigit) {
  ASSERT_EQ(AvailableKernels().back()->name, "scalar");
  ExpectOneResult<float>();
  ExpectOneResult<double>();
}

template <typename T>
void ExpectPlainResult() {
  for (int kind = 0; kind < kKinds; ++kind) {
    for (const size_t n : kSizes) {
      SCOPED_TRACE(fmt::format("kind {} n {}", kind, n));
      const auto g = Golden<T>(kind, n), t = Target(kind, g);
      const PairStats got = Reduced(*AvailableKernels()[0], g, t, 0, n);
      ExpectSameStats(got, StatsOf(g, t));
    }
  }
}

TEST(Reduce, AgreesWithAPlainLoop) {
  ExpectPlainResult<float>();
  ExpectPlainResult<double>();
}

TEST(Reduce, BlocksMayBeTakenInAnyParts) {
  const size_t n = 5 * kBlock + 100;
  for (int kind = 0; kind < 4; ++kind) {
    const auto g = Golden<float>(kind, n), t = Target(kind, g);
    const ReduceKernels& k = *AvailableKernels()[0];
    const PairStats whole = Reduced(k, g, t, 0, n);
    for (size_t cut = 0; cut <= n; cut += kBlock) {
      PairStats parts = Reduced(k, g, t, 0, cut);
      parts.Merge(Reduced(k, g, t, cut, n));
      ExpectSameStats(parts, whole);
      EXPECT_EQ(parts.fraction_bits_target, whole.fraction_bits_target);
    }
  }
}

TEST(Reduce, CountsWhatIsAbove) {
  const auto g = Golden<float>(3, 1000), t = Target(3, g);
  for (const double limit : {0.0, 1e-3, 1e30}) {
    size_t wanted = 0;
    for (size_t i = 0; i < g.size(); ++i) {
      wanted += !(std::fabs(double{g[i]} - double{t[i]}) <= limit);
    }
    for (const ReduceKernels* k : AvailableKernels()) {
      EXPECT_EQ(k->count_above(g.data(), t.data(), g.size(), limit), wanted);
    }
  }
}

}  // namespace
}  // namespace assay
