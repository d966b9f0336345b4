#include "pipeline/nonfinite_scan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernel/pair_blocks.h"
#include "kernel/reduce.h"

namespace assay {
namespace {

constexpr size_t kNeighbours = 2;

// By the bits: this loop needs no order, so it becomes vector instructions.
template <typename T, typename Bits>
bool AllFinite(const T* x, size_t n) {
  const T infinity = std::numeric_limits<T>::infinity();
  Bits exponent;
  std::memcpy(&exponent, &infinity, sizeof exponent);
  Bits bad = 0;
  for (size_t i = 0; i < n; ++i) {
    Bits bits;
    std::memcpy(&bits, x + i, sizeof bits);
    bad |= static_cast<Bits>((bits & exponent) == exponent);
  }
  return bad == 0;
}

bool AllFinite(const float* x, size_t n) {
  return AllFinite<float, uint32_t>(x, n);
}
bool AllFinite(const double* x, size_t n) {
  return AllFinite<double, uint64_t>(x, n);
}

template <typename T>
class Scan {
 public:
  Scan(TileReader& reader, uint64_t count) : reader_(reader), left_(count) {}

  Result<std::optional<NonFiniteElement>> Run(const std::atomic<bool>& stop) {
    while (left_ > 0) {
      if (stop.load(std::memory_order_relaxed)) {
        return MakeError(ErrorCode::kInterrupted, "interrupted");
      }
      RETURN_IF_ERROR(Read());
      if (!AllFinite(tile_, n_)) return Found();
      const size_t kept = std::min(n_, kNeighbours);
      last_.assign(tile_ + n_ - kept, tile_ + n_);
    }
    RETURN_IF_ERROR(reader_.Finish());
    return std::nullopt;
  }

 private:
  Status Read() {
    base_ += n_;
    n_ = static_cast<size_t>(std::min<uint64_t>(kBlock, left_));
    ASSIGN_OR_RETURN(const void* tile, reader_.Next(n_));
    tile_ = static_cast<const T*>(tile);
    left_ -= n_;
    return Done{};
  }

  Result<std::optional<NonFiniteElement>> Found() {
    size_t i = 0;
    while (std::isfinite(tile_[i])) ++i;
    NonFiniteElement found{.at = base_ + i, .value = tile_[i]};
    found.before = last_;
    found.before.insert(found.before.end(), tile_, tile_ + i);
    if (found.before.size() > kNeighbours) {
      found.before.erase(found.before.begin(),
                         found.before.end() - kNeighbours);
    }
    AddAfter(i + 1, found.after);
    if (found.after.size() < kNeighbours && left_ > 0) {
      RETURN_IF_ERROR(Read());
      AddAfter(0, found.after);
    }
    return found;
  }

  void AddAfter(size_t i, std::vector<double>& out) const {
    for (; i < n_ && out.size() < kNeighbours; ++i) out.push_back(tile_[i]);
  }

  TileReader& reader_;
  uint64_t left_, base_ = 0;
  size_t n_ = 0;
  const T* tile_ = nullptr;
  std::vector<double> last_;  // of the tile before
};

}  // namespace

bool CanBeNonFinite(DType type) {
  const DKind kind = Info(type).kind;
  return kind == DKind::kFloat || kind == DKind::kComplex;
}

Result<std::optional<NonFiniteElement>> ScanForNonFinite(
    const StoredView& view, const WorkBuffers& buffers,
    const std::atomic<bool>& stop) {
  if (!CanBeNonFinite(view.dtype())) return std::nullopt;
  const TileType type = ChooseTile(view.dtype(), view.dtype());
  const uint64_t count = RealCount(view);
  ASSIGN_OR_RETURN(const OpenView open, OpenView::Open(view));
  ASSIGN_OR_RETURN(TileReader reader,
                   TileReader::Open(open, type, {0, count}, ReadMode::kRead,
                                    buffers.golden()));
  if (type == TileType::kF32) return Scan<float>(reader, count).Run(stop);
  return Scan<double>(reader, count).Run(stop);
}

std::optional<NonFiniteElement> NonFiniteIn(const TensorSummary& summary) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (summary.nan.value_or(0) > 0) return NonFiniteElement{.value = kNan};
  for (const auto& value : {summary.max, summary.min, summary.mean}) {
    if (value && !std::isfinite(*value)) {
      return NonFiniteElement{.value = *value};
    }
  }
  if (summary.inf.value_or(0) == 0) return std::nullopt;
  return NonFiniteElement{.value = std::numeric_limits<double>::infinity()};
}

}  // namespace assay
