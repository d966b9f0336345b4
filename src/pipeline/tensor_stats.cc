#include "pipeline/tensor_stats.h"

#include <algorithm>
#include <bit>
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

class Statistician {
 public:
  explicit Statistician(const StoredView& view)
      : view_(view), type_(ChooseTile(view.dtype(), view.dtype())) {}

  Result<TensorStats> Run() {
    ASSIGN_OR_RETURN(open_, OpenView::Open(view_));
    const uint64_t count = RealCount(view_);
    if (count == 0) return TensorStats();
    // Of an even number of elements two stand in the middle.
    RankFinder finder({(count - 1) / 2, count / 2});
    PairStats stats;
    const MeasureOptions options{.kernels = AvailableKernels().front()};
    int shift = (type_ == TileType::kF32 ? 32 : 64) - kDigit;
    RETURN_IF_ERROR(EachTile([&](const TilePair& tile) {
      ReduceTile(tile, view_.dtype(), view_.dtype(), options, stats);
      Count(tile, shift, finder);
    }));
    TensorStats out = Summary(stats);
    if (out.has_nan) return out;  // nothing stands in the middle
    finder.Narrow();
    for (shift -= kDigit; shift >= 0; shift -= kDigit) {
      RETURN_IF_ERROR(
          EachTile([&](const TilePair& tile) { Count(tile, shift, finder); }));
      finder.Narrow();
    }
    const std::vector<uint64_t> keys = finder.Keys();
    out.median = (Value(keys.front()) + Value(keys.back())) / 2;
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

  template <typename T>
  void CountAs(const TilePair& tile, int shift, RankFinder& finder) {
    decltype(KeyOf(T{})) keys[kBlock];
    const T* values = tile.Golden<T>();
    for (size_t i = 0; i < tile.n; ++i) keys[i] = KeyOf(values[i]);
    finder.Add(keys, tile.n, shift);
  }

  void Count(const TilePair& tile, int shift, RankFinder& finder) {
    if (type_ == TileType::kF32) return CountAs<float>(tile, shift, finder);
    if (type_ == TileType::kF64) return CountAs<double>(tile, shift, finder);
    if (IsU64()) return CountAs<uint64_t>(tile, shift, finder);
    CountAs<int64_t>(tile, shift, finder);
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
