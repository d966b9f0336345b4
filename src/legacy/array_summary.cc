#include "legacy/array_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "legacy/chunks.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

template <typename T>
struct Extremes {
  T max = -std::numeric_limits<T>::infinity();
  T min = std::numeric_limits<T>::infinity();
  T sum = 0;
  bool has_nan = false;

  void Add(const T* values, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      has_nan = has_nan || std::isnan(values[i]);
      max = std::max(max, values[i]);
      min = std::min(min, values[i]);
    }
    sum += HalvedSum<T>([values](size_t i) { return values[i]; }, 0, n);
  }
};

template <typename T>
Result<Extremes<T>> Walk(const StoredView& view, uint64_t count) {
  WorkBuffers buffers;
  ASSIGN_OR_RETURN(const OpenView open, OpenView::Open(view));
  ASSIGN_OR_RETURN(auto reader,
                   ChunkReader<T>::Open(open, count, buffers.target()));
  Extremes<T> out;
  for (uint64_t left = count; left > 0;) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(left, kNumpyChunk));
    ASSIGN_OR_RETURN(const T* values, reader.Next());
    out.Add(values, n);
    left -= n;
  }
  return out;
}

std::string Text(std::string_view max, std::string_view min,
                 std::string_view mean) {
  return fmt::format("[Max: {}] [Min: {}] [Mean: {}]", max, min, mean);
}

std::string FloatText(DType type, float value) {
  return type == DType::kF16 ? Float16Text(ToHalf(value)) : Float32Text(value);
}

}  // namespace

Result<std::string> ExtremesText(const StoredView& view) {
  const DType type = view.dtype();
  const uint64_t count = ElementCount(view.shape).value_or(0);
  if (count == 0) return Text("nan", "nan", "nan");
  const bool single =
      type == DType::kF16 || type == DType::kBF16 || type == DType::kF32;
  if (single) {
    ASSIGN_OR_RETURN(const auto e, Walk<float>(view, count));
    if (e.has_nan) return Text("nan", "nan", "nan");
    return Text(FloatText(type, e.max), FloatText(type, e.min),
                FloatText(type, MeanOf(e.sum, count)));
  }
  ASSIGN_OR_RETURN(const auto e, Walk<double>(view, count));
  const std::string mean = ReprText(e.sum / static_cast<double>(count));
  const DKind kind = Info(type).kind;
  if (kind == DKind::kBool) {
    return Text(BoolText(e.max != 0), BoolText(e.min != 0), mean);
  }
  if (kind == DKind::kInteger) {
    return Text(fmt::format("{:.0f}", e.max), fmt::format("{:.0f}", e.min),
                mean);
  }
  if (e.has_nan) return Text("nan", "nan", "nan");
  return Text(ReprText(e.max), ReprText(e.min), mean);
}

}  // namespace assay
