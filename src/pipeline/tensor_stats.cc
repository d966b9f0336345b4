#include "pipeline/tensor_stats.h"

#include <algorithm>
#include <functional>
#include <type_traits>

#include "kernel/median.h"
#include "kernel/pair_blocks.h"
#include "kernel/reduce.h"
#include "kernel/value_facts.h"
#include "pipeline/measure.h"

namespace assay {
namespace {

// T is what tiles hold; of u64 they hold the bits.
template <typename T>
class Statistician {
 public:
  Statistician(const StoredView& view, const WorkBuffers& buffers)
      : view_(view),
        type_(ChooseTile(view.dtype(), view.dtype())),
        count_(RealCount(view)),
        buffers_(buffers) {}

  Result<TensorStats> Run() {
    ASSIGN_OR_RETURN(open_, OpenView::Open(view_));
    if (count_ == 0) return TensorStats();
    Bracket<T> bracket(count_);
    Facts facts;
    RETURN_IF_ERROR(EachTile([&](const TilePair& tile) {
      Add(tile, facts);
      bracket.Sample(tile.Golden<T>(), tile.n, tile.base);
    }));
    TensorStats out = Summary(facts);
    if (out.has_nan) return out;  // nothing stands in the middle
    ASSIGN_OR_RETURN(out.median, Median(bracket));
    return out;
  }

 private:
  // Most tensors are float32 and have a short way of their own.
  static constexpr bool kShort = std::is_same_v<T, float>;
  using Facts = std::conditional_t<kShort, ValueFacts, PairStats>;

  void Add(const TilePair& tile, Facts& facts) const {
    if constexpr (kShort) {
      AddFacts(tile.Golden<T>(), tile.n, facts);
    } else {
      static const MeasureOptions kOptions{.kernels =
                                               AvailableKernels().front()};
      ReduceTile(tile, view_.dtype(), view_.dtype(), kOptions, facts);
    }
  }

  // The tensor's blocks, as both sides of a pair.
  Status EachTile(const std::function<void(const TilePair&)>& use) {
    ASSIGN_OR_RETURN(TileReader reader,
                     TileReader::Open(open_, type_, {0, count_},
                                      ReadMode::kRead, buffers_.golden()));
    for (uint64_t at = 0; at < count_; at += kBlock) {
      const size_t n = std::min<uint64_t>(kBlock, count_ - at);
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
  Result<double> Median(Bracket<T>& bracket) {
    bracket.Choose();
    if (!bracket.exact()) {
      RETURN_IF_ERROR(EachTile([&](const TilePair& tile) {
        bracket.Pick(tile.Golden<T>(), tile.n);
      }));
    }
    const auto first = bracket.At((count_ - 1) / 2),
               second = bracket.At(count_ / 2);
    if (first && second) return Between(*first, *second);
    return SearchedMedian();
  }

  Result<double> SearchedMedian() {
    RankFinder<T> finder({(count_ - 1) / 2, count_ / 2});
    for (int pass = 0; pass < finder.kPasses; ++pass) {
      RETURN_IF_ERROR(EachTile(
          [&](const TilePair& tile) { finder.Add(tile.Golden<T>(), tile.n); }));
      finder.Narrow();
    }
    const auto [first, second] = finder.Ends();
    return Between(first, second);
  }

  // Adding 0 makes -0 the zero that it equals.
  static double Between(T a, T b) {
    return (static_cast<double>(a) + static_cast<double>(b)) / 2 + 0.0;
  }

  static TensorStats Summary(const ValueFacts& facts) {
    TensorStats out{.has_nan = facts.has_nan, .has_inf = facts.has_inf};
    if (facts.finite == 0) return out;
    out.mean = facts.sum / static_cast<double>(facts.finite);
    out.min = facts.min;
    out.max = facts.max;
    return out;
  }
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
  const uint64_t count_;
  const WorkBuffers& buffers_;
  OpenView open_;
};

}  // namespace

Result<TensorStats> StatsOf(const std::string& path, const StoredTensor& stored,
                            const WorkBuffers& buffers) {
  if (!HasNumbers(stored)) return TensorStats();
  const StoredView view = PlainView(path, stored);
  switch (ChooseTile(view.dtype(), view.dtype())) {
    case TileType::kF32:
      return Statistician<float>(view, buffers).Run();
    case TileType::kF64:
      return Statistician<double>(view, buffers).Run();
    case TileType::kI64:
      if (view.dtype() == DType::kU64) {
        return Statistician<uint64_t>(view, buffers).Run();
      }
      return Statistician<int64_t>(view, buffers).Run();
  }
  return Internal("a tile of no type");
}

}  // namespace assay
