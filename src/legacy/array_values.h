#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/number.h"
#include "core/stored_view.h"
#include "kernel/pair_blocks.h"
#include "kernel/reduce.h"
#include "kernel/work_buffers.h"

namespace assay {

// An array of numbers as it is stored, and what NumPy says of it. Types that
// NumPy lacks count as what decoders turn them into.

// str() of one value of an array of that type.
std::string NumpyText(DType type, const Number& value);

struct ArraySpec {
  std::string shape, dtype;
  std::string max, min, mean;  // empty: the array is
};
Result<ArraySpec> ReadSpec(const StoredView& view,
                           const std::atomic<bool>& stop);
// "[Shape: (2, 3)] [Dtype: float32] [Max: 1.0] [Min: 0.0] [Mean: 0.5]"; empty
// for an empty array.
std::string SpecText(const ArraySpec& spec);
// The last three of it; nan for an empty array.
std::string ExtremesText(const ArraySpec& spec);

// The first `most` values.
Result<std::vector<Number>> FirstValues(const StoredView& view, size_t most);

// What interrupted work ends with.
Error Interrupted();

// Complex numbers and texts cannot be read this way.
Status CheckNumbers(const StoredView& view);

// Calls visit(const T* values, size_t n) for all values in order, until it
// returns false. T is float, double or int64_t.
template <typename T, typename Visit>
Status VisitValues(const StoredView& view, const Visit& visit) {
  constexpr TileType kTile = std::is_same_v<T, float>    ? TileType::kF32
                             : std::is_same_v<T, double> ? TileType::kF64
                                                         : TileType::kI64;
  RETURN_IF_ERROR(CheckNumbers(view));
  uint64_t left = RealCount(view);
  if (left == 0) return Done{};
  const WorkBuffers buffers;
  ASSIGN_OR_RETURN(const OpenView open, OpenView::Open(view));
  ASSIGN_OR_RETURN(TileReader reader,
                   TileReader::Open(open, kTile, {0, left}, ReadMode::kRead,
                                    buffers.golden()));
  while (left > 0) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(left, kBlock));
    ASSIGN_OR_RETURN(const void* tile, reader.Next(n));
    if (!visit(static_cast<const T*>(tile), n)) return Done{};
    left -= n;
  }
  return reader.Finish();
}

}  // namespace assay
