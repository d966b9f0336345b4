#include "legacy/array_values.h"

#include <fmt/format.h>

#include <cmath>

#include "legacy/numpy.h"
#include "legacy/python_text.h"

namespace assay {
namespace {

// float32 in NumPy, or less. 8-bit floats become float64.
bool IsSingle(DType type) {
  return type == DType::kF32 || type == DType::kF16 || type == DType::kBF16;
}

bool IsWhole(DType type) { return Info(type).kind != DKind::kFloat; }

Number WholeNumber(DType type, int64_t value) {
  if (type != DType::kU64) return Number({.sint = value}, NumberKind::kSigned);
  return Number({.uint = static_cast<uint64_t>(value)}, NumberKind::kUnsigned);
}

// Largest, smallest and sum of an array, as NumPy finds them: NaN beats all,
// the sum of whole numbers is made in double.
template <typename T>
class Statistics {
 public:
  explicit Statistics(DType type) : type_(type) {}

  // Not inlined: gcc 12 then warns of a loop that no block can make so long.
  [[gnu::noinline]] void Add(const T* values, size_t n) {
    if (count_ == 0) max_ = min_ = values[0];
    count_ += n;
    for (size_t i = 0; i < n; ++i) {
      if (Less(max_, values[i])) max_ = values[i];
      if (Less(values[i], min_)) min_ = values[i];
      if constexpr (!kWhole) nan_ |= std::isnan(values[i]);
    }
    sum_ += ChunkSum<Sum>([&](size_t i) { return Addend(values[i]); }, n);
  }

  void Tell(ArraySpec& spec) const {
    const double mean = static_cast<double>(sum_) / static_cast<double>(count_);
    spec.max = nan_ ? "nan" : Text(max_);
    spec.min = nan_ ? "nan" : Text(min_);
    spec.mean = kWhole ? ReprText(mean) : NumpyText(type_, Number(mean));
  }

 private:
  static constexpr bool kWhole = std::is_integral_v<T>;
  using Sum = std::conditional_t<std::is_same_v<T, float>, float, double>;

  bool Less(T a, T b) const {
    if constexpr (kWhole) {
      if (type_ == DType::kU64) {
        return static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
      }
    }
    return a < b;
  }
  Sum Addend(T value) const {
    if constexpr (kWhole) return WholeNumber(type_, value).AsDouble();
    return static_cast<Sum>(value);
  }
  std::string Text(T value) const {
    if constexpr (kWhole) return NumpyText(type_, WholeNumber(type_, value));
    return NumpyText(type_, Number(static_cast<double>(value)));
  }

  DType type_;
  uint64_t count_ = 0;
  T max_ = 0, min_ = 0;
  Sum sum_ = 0;
  bool nan_ = false;
};

template <typename T>
Status Measure(const StoredView& view, const std::atomic<bool>& stop,
               ArraySpec& spec) {
  Statistics<T> statistics(view.dtype());
  RETURN_IF_ERROR(VisitValues<T>(view, [&](const T* values, size_t n) {
    statistics.Add(values, n);
    return !stop.load(std::memory_order_relaxed);
  }));
  if (stop.load()) return Interrupted();
  statistics.Tell(spec);
  return Done{};
}

template <typename T>
Status Take(const StoredView& view, size_t most, std::vector<Number>& out) {
  return VisitValues<T>(view, [&](const T* values, size_t n) {
    for (size_t i = 0; i < n && out.size() < most; ++i) {
      if constexpr (std::is_integral_v<T>) {
        out.push_back(WholeNumber(view.dtype(), values[i]));
      } else {
        out.emplace_back(static_cast<double>(values[i]));
      }
    }
    return out.size() < most;
  });
}

}  // namespace

std::string NumpyText(DType type, const Number& value) {
  switch (value.kind) {
    case NumberKind::kSigned:
      if (type == DType::kBool) return BoolText(value.raw.sint != 0);
      return fmt::format("{}", value.raw.sint);
    case NumberKind::kUnsigned:
      return fmt::format("{}", value.raw.uint);
    case NumberKind::kReal:
      break;
  }
  if (!IsSingle(type)) return ReprText(value.raw.real);
  const auto single = static_cast<float>(value.raw.real);
  return type == DType::kF16 ? Float16Text(ToHalf(single))
                             : Float32Text(single);
}

Error Interrupted() {
  return MakeError(ErrorCode::kInterrupted, "interrupted");
}

Status CheckNumbers(const StoredView& view) {
  const StoredPart& part = view.parts.front();
  if (part.tensor->error) return *part.tensor->error;
  if (HasNumbers(*part.tensor) && !IsComplex(view.dtype())) return Done{};
  return Unsupported("this prompt does not print {} values", Name(view.dtype()))
      .At(part.path)
      .Of(part.tensor->name)
      .Hint("'show FILE' may know more");
}

Result<ArraySpec> ReadSpec(const StoredView& view,
                           const std::atomic<bool>& stop) {
  ArraySpec spec{.shape = TupleText(view.shape),
                 .dtype = std::string(NumpyType(view.dtype()))};
  RETURN_IF_ERROR(CheckNumbers(view));
  if (RealCount(view) == 0) return spec;
  const Status measured =
      IsWhole(view.dtype())         ? Measure<int64_t>(view, stop, spec)
      : view.dtype() == DType::kF64 ? Measure<double>(view, stop, spec)
                                    : Measure<float>(view, stop, spec);
  if (!measured) return measured.error();
  return spec;
}

std::string SpecText(const ArraySpec& spec) {
  if (spec.max.empty()) return "";
  return fmt::format("[Shape: {}] [Dtype: {}] {}", spec.shape, spec.dtype,
                     ExtremesText(spec));
}

std::string ExtremesText(const ArraySpec& spec) {
  const bool empty = spec.max.empty();
  return fmt::format("[Max: {}] [Min: {}] [Mean: {}]", empty ? "nan" : spec.max,
                     empty ? "nan" : spec.min, empty ? "nan" : spec.mean);
}

Result<std::vector<Number>> FirstValues(const StoredView& view, size_t most) {
  std::vector<Number> values;
  if (most == 0) return values;
  const Status taken = IsWhole(view.dtype()) ? Take<int64_t>(view, most, values)
                       : IsSingle(view.dtype())
                           ? Take<float>(view, most, values)
                           : Take<double>(view, most, values);
  if (!taken) return taken.error();
  return values;
}

}  // namespace assay
