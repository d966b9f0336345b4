#include "pipeline/tensor_stats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include "kernel/pair_blocks.h"
#include "kernel/reduce.h"
#include "pipeline/measure.h"

namespace assay {
namespace {

constexpr uint64_t kTop = uint64_t{1} << 63;

// Numbers as unsigned integers of the same order. -0 is below 0: a difference
// that a median does not show.
uint32_t KeyOf(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  return bits >> 31 ? ~bits : bits | 1U << 31;
}
uint64_t KeyOf(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  return bits >> 63 ? ~bits : bits | kTop;
}
uint64_t KeyOf(int64_t x) { return static_cast<uint64_t>(x) ^ kTop; }
uint64_t KeyOf(uint64_t x) { return x; }

double ValueOf(uint64_t key, TileType type, bool is_unsigned) {
  if (type == TileType::kF32) {
    const auto k = static_cast<uint32_t>(key);
    return std::bit_cast<float>(k >> 31 ? k ^ 1U << 31 : ~k);
  }
  if (type == TileType::kF64) {
    return std::bit_cast<double>(key >> 63 ? key ^ kTop : ~key);
  }
  return is_unsigned ? static_cast<double>(key)
                     : static_cast<double>(static_cast<int64_t>(key ^ kTop));
}

constexpr int kDigit = 16;  // bits of a key found per pass

// Elements of some ranks, digit after digit: a pass counts the next digit of
// the elements that agree with one of them in the digits before.
class RankFinder {
 public:
  explicit RankFinder(std::vector<uint64_t> ranks) {
    groups_.push_back({.ranks = std::move(ranks)});
  }

  template <typename Key>
  void Add(const Key* keys, size_t n, int shift) {
    const bool first = shift + kDigit == 8 * sizeof(Key);
    for (Group& group : groups_) {
      const auto prefix = static_cast<Key>(group.prefix);
      for (size_t i = 0; i < n; ++i) {
        const auto above = static_cast<Key>(keys[i] >> shift);
        if (first || static_cast<Key>(above >> kDigit) == prefix) {
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
  }

  // In the order of the ranks, once all digits are known.
  std::vector<uint64_t> Keys() const {
    std::vector<uint64_t> keys;
    for (const Group& group : groups_) {
      keys.insert(keys.end(), group.ranks.size(), group.prefix);
    }
    return keys;
  }

 private:
  static constexpr size_t kDigits = 1 << kDigit;
  struct Group {
    uint64_t prefix = 0;
    std::vector<uint64_t> ranks = {};  // among those of the prefix
    std::vector<uint64_t> counts = std::vector<uint64_t>(kDigits);
  };
  std::vector<Group> groups_;
};

// The usual way to the elements of two neighbouring ranks: a sample tells
// between which values they lie, and one pass picks what lies there.
class Bracket {
 public:
  static constexpr uint64_t kSample = 1 << 16;

  explicit Bracket(uint64_t count)
      : count_(count), stride_(std::max<uint64_t>(1, count / kSample)) {}

  template <typename Key>
  void Sample(const Key* keys, size_t n, uint64_t base) {
    for (uint64_t i = (stride_ - base % stride_) % stride_; i < n;
         i += stride_) {
      sample_.push_back(keys[i]);
    }
  }

  // After the sampling. 4 standard deviations of the middle's rank.
  void Choose() {
    std::ranges::sort(sample_);
    const size_t middle = sample_.size() / 2;
    const auto width =
        static_cast<size_t>(2 * std::sqrt(static_cast<double>(sample_.size())));
    low_ = sample_[middle - std::min(middle, width)];
    high_ = sample_[std::min(sample_.size() - 1, middle + width)];
  }
  // The sample is everything.
  bool exact() const { return stride_ == 1; }

  template <typename Key>
  void Pick(const Key* keys, size_t n) {
    const auto low = static_cast<Key>(low_), high = static_cast<Key>(high_);
    uint64_t below = 0, at_low = 0, at_high = 0;
    for (size_t i = 0; i < n; ++i) {
      below += keys[i] < low;
      at_low += keys[i] == low;
      at_high += keys[i] == high;
    }
    below_ += below, at_low_ += at_low, at_high_ += at_high;
    if (between_.size() > count_ / 8) return;  // a bad sample: not again
    for (size_t i = 0; i < n; ++i) {
      if (keys[i] > low && keys[i] < high) between_.push_back(keys[i]);
    }
  }

  // Nothing if the sample misled.
  std::optional<uint64_t> At(uint64_t rank) {
    if (exact()) return sample_[rank];
    if (rank < below_) return std::nullopt;
    rank -= below_;
    if (rank < at_low_) return low_;
    rank -= at_low_;
    if (between_.size() > count_ / 8) return std::nullopt;
    if (rank < between_.size()) {
      const auto place = between_.begin() + static_cast<ptrdiff_t>(rank);
      std::nth_element(between_.begin(), place, between_.end());
      return *place;
    }
    if (rank - between_.size() < at_high_) return high_;
    return std::nullopt;
  }

 private:
  uint64_t count_, stride_;
  std::vector<uint64_t> sample_, between_;
  uint64_t low_ = 0, high_ = 0;
  uint64_t below_ = 0, at_low_ = 0, at_high_ = 0;
};

class Statistician {
 public:
  explicit Statistician(const StoredView& view)
      : view_(view), type_(ChooseTile(view.dtype(), view.dtype())) {}

  Result<TensorStats> Run() {
    ASSIGN_OR_RETURN(open_, OpenView::Open(view_));
    const uint64_t count = RealCount(view_);
    if (count == 0) return TensorStats();
    Bracket bracket(count);
    PairStats stats;
    const MeasureOptions options{.kernels = AvailableKernels().front()};
    RETURN_IF_ERROR(EachTile([&](const TilePair& tile) {
      ReduceTile(tile, view_.dtype(), view_.dtype(), options, stats);
      WithKeys(tile, [&](const auto* keys) {
        bracket.Sample(keys, tile.n, tile.base);
      });
    }));
    TensorStats out = Summary(stats);
    if (out.has_nan) return out;  // nothing stands in the middle
    ASSIGN_OR_RETURN(out.median, Median(bracket, count));
    return out;
  }

 private:
  // The tensor's blocks, as both sides of a pair.
  Status EachTile(const std::function<void(const TilePair&)>& use) {
    const uint64_t count = RealCount(view_);
    ASSIGN_OR_RETURN(TileReader reader,
                     TileReader::Open(open_, type_, {0, count}, ReadMode::kRead,
                                      buffers_.golden()));
    for (uint64_t at = 0; at < count; at += kBlock) {
      const size_t n = std::min<uint64_t>(kBlock, count - at);
      ASSIGN_OR_RETURN(const void* values, reader.Next(n));
      use({.type = type_,
           .golden = values,
           .target = values,
           .n = n,
           .base = at});
    }
    return reader.Finish();
  }

  // Of an even number of elements two stand in the middle.
  Result<double> Median(Bracket& bracket, uint64_t count) {
    bracket.Choose();
    if (!bracket.exact()) {
      RETURN_IF_ERROR(EachTile([&](const TilePair& tile) {
        WithKeys(tile, [&](const auto* keys) { bracket.Pick(keys, tile.n); });
      }));
    }
    const auto first = bracket.At((count - 1) / 2),
               second = bracket.At(count / 2);
    if (first && second) return (Value(*first) + Value(*second)) / 2;
    return SearchedMedian(count);
  }

  Result<double> SearchedMedian(uint64_t count) {
    RankFinder finder({(count - 1) / 2, count / 2});
    const int bits = type_ == TileType::kF32 ? 32 : 64;
    for (int shift = bits - kDigit; shift >= 0; shift -= kDigit) {
      RETURN_IF_ERROR(EachTile([&](const TilePair& tile) {
        WithKeys(tile,
                 [&](const auto* keys) { finder.Add(keys, tile.n, shift); });
      }));
      finder.Narrow();
    }
    const std::vector<uint64_t> keys = finder.Keys();
    return (Value(keys.front()) + Value(keys.back())) / 2;
  }

  template <typename T, typename Use>
  static void UseKeys(const TilePair& tile, const Use& use) {
    decltype(KeyOf(T{})) keys[kBlock];
    const T* values = tile.Golden<T>();
    for (size_t i = 0; i < tile.n; ++i) keys[i] = KeyOf(values[i]);
    use(keys);
  }

  template <typename Use>
  void WithKeys(const TilePair& tile, const Use& use) const {
    if (type_ == TileType::kF32) return UseKeys<float>(tile, use);
    if (type_ == TileType::kF64) return UseKeys<double>(tile, use);
    if (IsU64()) return UseKeys<uint64_t>(tile, use);
    UseKeys<int64_t>(tile, use);
  }

  bool IsU64() const { return view_.dtype() == DType::kU64; }
  double Value(uint64_t key) const { return ValueOf(key, type_, IsU64()); }

  static TensorStats Summary(const PairStats& stats) {
    TensorStats out{.has_nan = stats.nan_golden > 0,
                    .has_inf = stats.inf_golden > 0};
    if (stats.used == 0) return out;
    out.mean = stats.golden.mean;
    out.min = Number(stats.min_golden, stats.golden_kind).AsDouble();
    out.max = Number(stats.max_golden, stats.golden_kind).AsDouble();
    return out;
  }

  const StoredView& view_;
  const TileType type_;
  OpenView open_;
  const WorkBuffers buffers_;
};

}  // namespace

Result<TensorStats> StatsOf(const std::string& path,
                            const StoredTensor& stored) {
  if (!HasNumbers(stored)) return TensorStats();
  const StoredView view = PlainView(path, stored);
  return Statistician(view).Run();
}

}  // namespace assay
