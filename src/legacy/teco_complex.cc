#include "legacy/teco_complex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "legacy/chunks.h"
#include "legacy/numpy.h"
#include "legacy/teco_typed.h"

namespace assay {
namespace {

template <typename T>
struct Sums {
  T difference = 0, golden = 0, ratio = 0, diff3 = 0, diff3_max = 0;
  std::complex<T> squares, golden_squares;
  uint64_t greater = 0, less = 0, not_finite = 0;
};

template <typename T>
bool IsFinite(std::complex<T> z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

// NumPy orders by the real part, then by the imaginary one.
template <typename T>
bool IsGreater(std::complex<T> a, std::complex<T> b) {
  if (std::isnan(a.imag()) || std::isnan(b.imag())) return false;
  return a.real() > b.real() || (a.real() == b.real() && a.imag() > b.imag());
}

// By the larger part of b, as NumPy divides.
template <typename T>
std::complex<T> Quotient(std::complex<T> a, std::complex<T> b) {
  const T re = std::fabs(b.real()), im = std::fabs(b.imag());
  if (re == 0 && im == 0) return {a.real() / re, a.imag() / re};
  if (re >= im) {
    const T ratio = b.imag() / b.real();
    const T scale = 1 / (b.real() + b.imag() * ratio);
    return {(a.real() + a.imag() * ratio) * scale,
            (a.imag() - a.real() * ratio) * scale};
  }
  const T ratio = b.real() / b.imag();
  const T scale = 1 / (b.imag() + b.real() * ratio);
  return {(a.real() * ratio + a.imag()) * scale,
          (a.imag() * ratio - a.real()) * scale};
}

// Interleaved parts as numbers.
template <typename T>
struct Numbers {
  const T* parts;
  std::complex<T> operator[](size_t i) const {
    return {parts[2 * i], parts[2 * i + 1]};
  }
};

// The sum of squares of of(i), by its parts.
template <typename T, typename Of>
std::complex<T> SumOfSquares(const Of& of, size_t n) {
  const auto real = [&](size_t i) {
    const std::complex<T> z = of(i);
    return z.real() * z.real() - z.imag() * z.imag();
  };
  const auto imaginary = [&](size_t i) {
    const std::complex<T> z = of(i);
    return z.real() * z.imag() + z.imag() * z.real();
  };
  return {ChunkSum<T>(real, n), ChunkSum<T>(imaginary, n)};
}

template <typename T>
T Diff3(std::complex<T> s, std::complex<T> b, double threshold) {
  // Infinity times the mask's 0 is NaN.
  if (!IsFinite(s) || !IsFinite(b)) return std::numeric_limits<T>::quiet_NaN();
  const T size = std::abs(b), distance = std::abs(s - b);
  if (!(double{size} > threshold)) return distance;
  return distance / (size + static_cast<T>(kTecoEps));
}

template <typename T>
void AddChunk(const ChunkPair<T>& c, double threshold, Sums<T>& sums) {
  const Numbers<T> s{c.my}, b{c.golden};
  // A bound for gcc 12, which warns of loops that no chunk can make so long.
  const size_t n = std::min(c.n, kNumpyChunk) / 2;
  const auto difference = [&](size_t i) { return s[i] - b[i]; };
  const auto golden = [&](size_t i) { return b[i]; };
  const Terms<T> diff3(n,
                       [&](size_t i) { return Diff3(s[i], b[i], threshold); });
  sums.difference +=
      ChunkSum<T>([&](size_t i) { return std::abs(difference(i)); }, n);
  sums.golden += ChunkSum<T>([&](size_t i) { return std::abs(b[i]); }, n);
  sums.squares += SumOfSquares<T>(difference, n);
  sums.golden_squares += SumOfSquares<T>(golden, n);
  sums.ratio += ChunkSum<T>(
      [&](size_t i) {
        const std::complex<T> size = std::abs(b[i]) + static_cast<T>(kTecoEps);
        return std::abs(Quotient(difference(i), size));
      },
      n);
  sums.diff3 += diff3.Sum();
  sums.diff3_max = diff3.Max(sums.diff3_max);
  for (size_t i = 0; i < n; ++i) {
    sums.greater += IsGreater(s[i], b[i]) ? 1 : 0;
    sums.less += IsGreater(b[i], s[i]) ? 1 : 0;
    sums.not_finite += IsFinite(s[i]) && IsFinite(b[i]) ? 0 : 1;
  }
}

// str() of Python: "0j", "(1.5-2j)".
std::string ComplexText(std::complex<double> z) {
  const auto part = [](double x) {
    std::string text = ReprText(x);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  };
  const std::string imaginary = part(z.imag());
  if (z.real() == 0 && !std::signbit(z.real())) return imaginary + "j";
  return fmt::format("({}{}{}j)", part(z.real()),
                     imaginary.starts_with('-') ? "" : "+", imaginary);
}

std::complex<double> Root(std::complex<double> z) {
  if (z == 0.0) return {};
  return std::pow(z, std::complex<double>(0.5));
}

// A side as the parts of its numbers.
class Parts {
 public:
  Parts(const StoredView& view, DType part)
      : tensor_(*view.parts.front().tensor), view_(view) {
    tensor_.dtype = part;
    tensor_.shape.push_back(2);
    view_.parts.front().tensor = &tensor_;
    view_.shape.push_back(2);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  const StoredView& view() const { return view_; }

 private:
  StoredTensor tensor_;
  StoredView view_;
};

template <typename T>
Status Ask(const MeasureJob& job, double threshold, TecoNumbers& out) {
  constexpr int kBits = 8 * sizeof(T);
  ASSIGN_OR_RETURN(const PairChunks pair, PairChunks::Open(job));
  Sums<T> sums;
  RETURN_IF_ERROR(pair.ForEach<T>(pair.my_count(), [&](const ChunkPair<T>& c) {
    AddChunk(c, threshold, sums);
  }));
  const auto mean = [&](T sum) -> TypedNumber {
    const double count = static_cast<double>(pair.my_count()) / 2;
    return {static_cast<T>(double{sum} / count), kBits};
  };
  out.nan_inf = sums.not_finite > 0;
  out.diff1 = {sums.difference / sums.golden, kBits};
  out.complex_diff2_1 =
      ComplexText(Root(Quotient(sums.squares, sums.golden_squares)));
  out.mae = mean(sums.difference);
  out.mape = mean(sums.ratio);
  out.diff3_max = {std::isnan(sums.diff3) ? sums.diff3 : sums.diff3_max, kBits};
  out.diff3_mean = mean(sums.diff3);
  out.greater = sums.greater;
  out.less = sums.less;
  return Done{};
}

}  // namespace

bool AreComplexPairs(const MeasureJob& job) {
  for (const StoredView* view : {&job.target, &job.golden}) {
    const DType type = view->dtype();
    const bool known = type == DType::kC64 || type == DType::kC128;
    if (!known || view->map || view->grid || view->parts.size() > 1) {
      return false;
    }
  }
  return job.target.dtype() == job.golden.dtype() &&
         job.target.shape == job.golden.shape;
}

Status AskTecoComplex(const MeasureJob& job, double threshold,
                      TecoNumbers& out) {
  const bool single = job.golden.dtype() == DType::kC64;
  const DType part = single ? DType::kF32 : DType::kF64;
  const Parts my(job.target, part), golden(job.golden, part);
  const MeasureJob parts = {golden.view(), my.view()};
  return single ? Ask<float>(parts, threshold, out)
                : Ask<double>(parts, threshold, out);
}

}  // namespace assay
