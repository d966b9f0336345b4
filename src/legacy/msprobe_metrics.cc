#include "legacy/msprobe_metrics.h"

#include <cmath>

#include "legacy/chunks.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

using Chunk = ChunkPair<double>;

constexpr std::string_view kZeroDims =
    "This is type of 0-d tensor, can not calculate 'Cosine', 'EucDist', 'One "
    "Thousandth Err Ratio' and 'Five Thousandths Err Ratio'. ";

// Elements that are infinite, or NaN, on one side only.
ASSAY_WIDE uint64_t CountMisplaced(const Chunk& c) {
  uint64_t count = 0;
  for (size_t i = 0; i < c.n; ++i) {
    const double m = c.my[i], g = c.golden[i];
    const int my = (m != m ? 2 : 0) + (m - m != 0 ? 1 : 0);
    const int golden = (g != g ? 2 : 0) + (g - g != 0 ? 1 : 0);
    count += my != golden ? 1 : 0;
  }
  return count;
}

struct Sums {
  double my = 0, golden = 0, product = 0, squares = 0;
  double max_difference = 0, max_relative = 0;
  bool nan = false;  // a relative error is NaN
  uint64_t thousandth = 0, five = 0;
};

// Relative errors in T, the type that NumPy would choose for the two.
template <typename T>
inline T RelativeError(T my, T golden) {
  constexpr T kEps = std::numeric_limits<T>::epsilon();
  const T add = golden == 0 ? kEps : 0;
  return std::fabs(((my + add) - (golden + add)) / (golden + add));
}

inline double Finite(double x) { return x - x == 0 ? x : 0; }

template <typename T>
inline void AddErrors(const Terms<double>& my, const Terms<double>& golden,
                      Sums& sums) {
  const size_t n = my.size();
  const Terms<T> relative(n, [&](size_t i) {
    return RelativeError(static_cast<T>(my[i]), static_cast<T>(golden[i]));
  });
  uint64_t thousandth = 0, five = 0, nan = 0;
  for (size_t i = 0; i < n; ++i) {
    thousandth += relative[i] < static_cast<T>(0.001) ? 1 : 0;
    five += relative[i] < static_cast<T>(0.005) ? 1 : 0;
    nan += relative[i] != relative[i] ? 1 : 0;
  }
  sums.thousandth += thousandth;
  sums.five += five;
  sums.nan |= nan > 0;
  sums.max_relative = std::max(sums.max_relative, double{relative.Max(0)});
}

ASSAY_WIDE void AddChunk(const Chunk& c, bool single, Sums& sums) {
  const Terms<double> my(c.n, [&](size_t i) { return Finite(c.my[i]); });
  const Terms<double> golden(c.n,
                             [&](size_t i) { return Finite(c.golden[i]); });
  const Terms<double> difference(
      c.n, [&](size_t i) { return std::fabs(my[i] - golden[i]); });
  sums.my += my.SumOfSquares();
  sums.golden += golden.SumOfSquares();
  sums.squares += difference.SumOfSquares();
  sums.product +=
      ChunkSum<double>([&](size_t i) { return my[i] * golden[i]; }, c.n);
  sums.max_difference = difference.Max(sums.max_difference);
  single ? AddErrors<float>(my, golden, sums)
         : AddErrors<double>(my, golden, sums);
}

std::string TwelveDecimals(double value) {
  return ReprText(RoundedTo(value, 12));
}

void Say(std::string_view text, std::string& message) {
  if (!message.empty() && !message.ends_with(' ')) message += ' ';
  message += text;
}

std::string Cosine(const Sums& s, uint64_t n, std::string& message) {
  if (n == 1) {
    Say("This is a 1-d tensor of length 1.", message);
    return "unsupported";
  }
  const double my = std::sqrt(s.my), golden = std::sqrt(s.golden);
  if (my <= kEps64 && golden <= kEps64) return "1.0";
  const auto zero = [&](std::string_view side) {
    Say("Cannot compare by Cosine Similarity, All the data is Zero in ",
        message);
    message += side;
    message += " dump data.";
    return "Nan";
  };
  if (my <= kEps64) return zero("npu");
  if (golden <= kEps64) return zero("Bench");
  const double cosine = s.product / (my * golden);
  if (std::isnan(cosine)) {
    Say("Cannot compare by Cosine Similarity, the dump data has NaN.", message);
    return "Nan";
  }
  const double rounded = RoundedTo(cosine, 12);
  return ReprText(rounded > 0.9999 ? RoundedTo(rounded, 6) : rounded);
}

// The verdict of older versions; a cosine that is no number passes, as there.
std::string Reached(const std::string& cosine, const std::string& difference) {
  if (cosine == "shape unmatched") return "Unmatched";
  if (cosine == "unsupported") return "None";
  if (cosine == "N/A") return "No";
  const double cos = std::strtod(cosine.c_str(), nullptr);
  const double max = std::strtod(difference.c_str(), nullptr);
  const bool bad = (cos < 0.99 && max > 0.001) || cos < 0.9 || max > 1;
  return bad ? "No" : "Yes";
}

MsprobeAnswer AllCells(const std::string& text, std::string message) {
  MsprobeAnswer answer = {.message = std::move(message),
                          .reached = Reached(text, text)};
  answer.metrics.fill(text);
  return answer;
}

// An array without dimensions: the original says so once more, doubling what
// it has, for each column that it leaves out.
void Unsupport(MsprobeAnswer& answer) {
  for (const size_t column : {0, 1, 4, 5}) {
    answer.metrics[column] = "unsupported";
    answer.message += answer.message;
  }
}

MsprobeAnswer Answer(const Sums& s, uint64_t n, std::string message) {
  const auto share = [&](uint64_t count) {
    return TwelveDecimals(static_cast<double>(count) / static_cast<double>(n));
  };
  MsprobeAnswer answer = {.message = std::move(message)};
  answer.metrics = {Cosine(s, n, answer.message),
                    ReprText(std::sqrt(s.squares)),
                    TwelveDecimals(s.max_difference),
                    TwelveDecimals(s.nan ? std::nan("") : s.max_relative),
                    share(s.thousandth),
                    share(s.five)};
  answer.reached = Reached(answer.metrics[0], answer.metrics[2]);
  return answer;
}

// Big-endian types are none of those that the original knows as floats: it
// makes them float64.
bool IsSmallFloat(const StoredView& view) {
  return Info(view.dtype()).kind == DKind::kFloat &&
         view.dtype() != DType::kF64 && !view.big_endian();
}

bool SameType(const StoredView& a, const StoredView& b) {
  return a.dtype() == b.dtype() && a.big_endian() == b.big_endian();
}

// Of two numbers, in the type that NumPy would subtract them in.
double ScalarDifference(double my, double golden, const MeasureJob& job) {
  const DTypeInfo &m = Info(job.target.dtype()), &g = Info(job.golden.dtype());
  if (m.kind == DKind::kFloat && g.kind == DKind::kFloat) {
    const bool half =
        job.target.dtype() == DType::kF16 && job.golden.dtype() == DType::kF16;
    // float32 has bits enough that rounding twice rounds as once.
    if (half) return ToHalf(static_cast<float>(my - golden));
    if (std::max(m.bits, g.bits) < 64) return static_cast<float>(my - golden);
  }
  const bool wraps =
      m.is_unsigned && job.target.dtype() != DType::kBool && my < golden;
  return my - golden + (wraps ? std::ldexp(1, static_cast<int>(m.bits)) : 0);
}

// An array without dimensions: what is infinite or NaN stays, and relative
// errors are of float32 whatever the types.
Result<MsprobeAnswer> AskScalar(const MeasureJob& job, const PairChunks& pair) {
  Sums sums;
  RETURN_IF_ERROR(pair.ForEach<double>(1, [&](const Chunk& c) {
    const double my = c.my[0], golden = c.golden[0];
    sums.max_difference = std::fabs(ScalarDifference(my, golden, job));
    sums.max_relative =
        RelativeError(static_cast<float>(my), static_cast<float>(golden));
  }));
  MsprobeAnswer answer = {.message = std::string(kZeroDims)};
  const auto text = [](double error) {
    return std::isnan(error) ? "Nan" : TwelveDecimals(error);
  };
  answer.metrics[2] = text(sums.max_difference);
  answer.metrics[3] = text(sums.max_relative);
  Unsupport(answer);
  answer.reached = Reached(answer.metrics[0], answer.metrics[2]);
  return answer;
}

Shape Seen(Shape shape, ProbeShapes shapes) {
  if (shapes == ProbeShapes::kSqueezed) std::erase(shape, 1);
  return shape;
}

}  // namespace

Result<MsprobeAnswer> AskMsprobe(const MeasureJob& job, ProbeShapes shapes) {
  ASSIGN_OR_RETURN(const PairChunks pair, PairChunks::Open(job));
  const uint64_t n = pair.my_count();
  if (n == 0) {
    return AllCells("unsupported", "This is empty data, can not compare.");
  }
  const Shape my = Seen(job.target.shape, shapes);
  if (my != Seen(job.golden.shape, shapes)) {
    return AllCells("shape unmatched",
                    "Shape of NPU and bench tensor do not match. Skipped.");
  }
  if (my.empty()) return AskScalar(job, pair);
  std::string message;
  uint64_t misplaced = 0;
  RETURN_IF_ERROR(pair.ForEach<double>(
      n, [&](const Chunk& c) { misplaced += CountMisplaced(c); }));
  if (misplaced > 0) {
    Say("The position of inf or nan in NPU and bench Tensor do not match.",
        message);
    return AllCells("N/A", std::move(message));
  }
  if (!SameType(job.target, job.golden)) {
    Say("Dtype of NPU and bench tensor do not match.", message);
  }
  const bool single = IsSmallFloat(job.target) && IsSmallFloat(job.golden);
  Sums sums;
  RETURN_IF_ERROR(pair.ForEach<double>(
      n, [&](const Chunk& c) { AddChunk(c, single, sums); }));
  return Answer(sums, n, std::move(message));
}

namespace {

Result<Cells> CellsOf(const MetricPair& pair) {
  ASSIGN_OR_RETURN(const MsprobeAnswer answer, AskMsprobe(pair.job));
  Cells cells;
  for (size_t i = 0; i < kMsprobeMetrics.size(); ++i) {
    cells.emplace_back(kMsprobeMetrics[i], answer.metrics[i]);
  }
  cells.emplace_back("Accuracy Reached or Not", answer.reached);
  cells.emplace_back("message", answer.message);
  return cells;
}

}  // namespace

extern constinit const MetricGroup kMsprobeGroup = {
    .name = "msprobe",
    .summary = "msprobe's comparison of real data",
    .cells = CellsOf,
};

}  // namespace assay
