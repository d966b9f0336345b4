#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernel/pick.h"
#include "kernel/reduce.h"

namespace assay {

// Elements of given ranks among values that come in tiles and are not kept. No
// value is NaN.

// The usual way to a rank near the middle: a sample tells between which values
// it lies, and a second pass picks what lies there.
template <typename T>
class Bracket {
 public:
  static constexpr uint64_t kSample = 1 << 13;

  explicit Bracket(uint64_t count)
      : count_(count), stride_(std::max<uint64_t>(1, count / kSample)) {}

  void Sample(const T* values, size_t n, uint64_t base) {
    for (uint64_t i = (stride_ - base % stride_) % stride_; i < n;
         i += stride_) {
      sample_.push_back(values[i]);
    }
  }

  // After the sampling. 4 standard deviations of the middle's rank.
  void Choose() {
    if (exact()) return;
    const size_t middle = sample_.size() / 2;
    const auto width =
        static_cast<size_t>(2 * std::sqrt(static_cast<double>(sample_.size())));
    low_ = Nth(sample_, middle - std::min(middle, width));
    high_ = Nth(sample_, std::min(sample_.size() - 1, middle + width));
    settled_ = 0;
  }
  // The sample is everything: nothing is to be picked.
  bool exact() const { return stride_ == 1; }

  // At most a block of them.
  void Pick(const T* values, size_t n) {
    T kept[kBlock + kPickRoom];
    const Picked found = PickBetween(values, n, low_, high_, kept);
    below_ += found.below, at_low_ += found.at_low, at_high_ += found.at_high;
    if (!misled()) {
      between_.insert(between_.end(), kept, kept + found.between);
    }
  }

  // Ranks in ascending order. Nothing if the sample misled.
  std::optional<T> At(uint64_t rank) {
    if (exact()) return Nth(sample_, rank);
    if (rank < below_) return std::nullopt;
    rank -= below_;
    if (rank < at_low_) return low_;
    rank -= at_low_;
    if (misled()) return std::nullopt;
    if (rank < between_.size()) return Nth(between_, rank);
    if (rank - between_.size() < at_high_) return high_;
    return std::nullopt;
  }

 private:
  // What has a lower rank than one that was asked for stands before it.
  T Nth(std::vector<T>& values, uint64_t rank) {
    const auto place = values.begin() + static_cast<ptrdiff_t>(rank);
    const auto begin = values.begin() + static_cast<ptrdiff_t>(settled_);
    std::nth_element(begin, place, values.end());
    settled_ = rank;
    return *place;
  }
  bool misled() const { return between_.size() > count_ / 8; }

  uint64_t count_, stride_;
  std::vector<T> sample_, between_;
  T low_ = 0, high_ = 0;
  uint64_t below_ = 0, at_low_ = 0, at_high_ = 0;
  uint64_t settled_ = 0;  // the rank that was asked for last
};

// Numbers as unsigned integers of the same order; -0 is below 0.
template <typename T>
auto OrderedBits(T x) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr auto kTop = static_cast<Bits>(Bits{1} << (8 * sizeof(T) - 1));
  const auto bits = std::bit_cast<Bits>(x);
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<Bits>(bits & kTop ? ~bits : bits | kTop);
  } else {
    return std::is_signed_v<T> ? bits ^ kTop : bits;
  }
}
template <typename T>
T FromOrderedBits(decltype(OrderedBits(T{})) bits) {
  using Bits = decltype(bits);
  constexpr auto kTop = static_cast<Bits>(Bits{1} << (8 * sizeof(T) - 1));
  if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<T>(
        static_cast<Bits>(bits & kTop ? bits ^ kTop : ~bits));
  } else {
    return std::bit_cast<T>(std::is_signed_v<T> ? bits ^ kTop : bits);
  }
}

// The sure way, digit after digit: a pass counts the next digit of the elements
// that agree with one of those wanted in the digits before.
template <typename T>
class RankFinder {
 public:
  static constexpr int kDigit = 16;  // bits found per pass
  static constexpr int kPasses = 8 * sizeof(T) / kDigit;

  explicit RankFinder(std::vector<uint64_t> ranks) {
    groups_.push_back({.ranks = std::move(ranks)});
  }

  void Add(const T* values, size_t n) {
    for (Group& group : groups_) {
      for (size_t i = 0; i < n; ++i) {
        const uint64_t above = OrderedBits(values[i]) >> shift_;
        if (above >> kDigit == group.prefix) {
          ++group.counts[above & (kDigits - 1)];
        }
      }
    }
  }

  // After a pass.
  void Narrow() {
    std::vector<Group> next;
    for (const Group& group : groups_) {
      for (uint64_t rank : group.ranks) {
        size_t digit = 0;
        while (digit + 1 < kDigits && rank >= group.counts[digit]) {
          rank -= group.counts[digit++];
        }
        const uint64_t prefix = group.prefix << kDigit | digit;
        if (next.empty() || next.back().prefix != prefix) {
          next.push_back({.prefix = prefix});
        }
        next.back().ranks.push_back(rank);
      }
    }
    groups_ = std::move(next);
    shift_ -= kDigit;
  }

  // After kPasses, of the first and the last rank.
  std::pair<T, T> Ends() const {
    using Bits = decltype(OrderedBits(T{}));
    return {FromOrderedBits<T>(static_cast<Bits>(groups_.front().prefix)),
            FromOrderedBits<T>(static_cast<Bits>(groups_.back().prefix))};
  }

 private:
  static constexpr size_t kDigits = 1 << kDigit;
  struct Group {
    uint64_t prefix = 0;
    std::vector<uint64_t> ranks = {};  // among those of the prefix
    std::vector<uint64_t> counts = std::vector<uint64_t>(kDigits);
  };
  std::vector<Group> groups_;
  int shift_ = (kPasses - 1) * kDigit;
};

}  // namespace assay
