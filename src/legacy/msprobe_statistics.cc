#include "legacy/msprobe_statistics.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "legacy/numpy.h"

namespace assay {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// As pandas reads a number in decimal: at most 17 digits, leading zeros among
// them, and one division. Not always the nearest double.
double Decimal(std::string_view text) {
  constexpr int kMostDigits = 17;
  const bool negative = text.starts_with('-');
  double number = 0;
  int exponent = 0, digits = 0;
  bool point = false;
  size_t at = negative ? 1 : 0;
  for (; at < text.size() && (IsDigit(text[at]) || text[at] == '.'); ++at) {
    if (text[at] == '.') {
      point = true;
    } else if (digits < kMostDigits) {
      number = number * 10 + (text[at] - '0');
      ++digits;
      if (point) --exponent;
    } else if (!point) {
      ++exponent;
    }
  }
  if (at < text.size()) {
    exponent += std::atoi(std::string(text.substr(at + 1)).c_str());
  }
  if (negative) number = -number;
  if (exponent > 0) return number * std::pow(10.0, exponent);
  if (exponent >= -308) return number / std::pow(10.0, -exponent);
  return number / std::pow(10.0, -308 - exponent) / 1e308;
}

std::optional<double> NumberOf(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return std::isfinite(value) ? Decimal(text) : value;
}

std::optional<int64_t> WholeOf(std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

bool NamesDevice(std::string_view text) {
  for (const char* word : {"npu", "cpu", "cuda"}) {
    if (text.find(word) != text.npos) return true;
  }
  return false;
}

StatisticDifference Same(std::string text) { return {text, text}; }

StatisticDifference OfNumbers(std::string_view npu, std::string_view bench,
                              bool whole) {
  const double m = *NumberOf(npu), g = *NumberOf(bench);
  const auto whole_m = WholeOf(npu), whole_g = WholeOf(bench);
  const double difference = m - g;
  const std::string text = whole && whole_m && whole_g
                               ? std::to_string(*whole_m - *whole_g)
                               : ReprText(difference);
  if (g == 0) return {text, "inf"};
  return {text, ReprText(std::fabs(difference / g * 100)) + "%"};
}

}  // namespace

StatisticDifference CompareStatistic(std::string_view npu,
                                     std::string_view bench, bool whole) {
  if (npu == bench) return Same("0");
  if (npu == "N/A" || bench == "N/A") return Same("N/A");
  if (NamesDevice(npu) && NamesDevice(bench)) return Same("N/A");
  const auto m = NumberOf(npu), g = NumberOf(bench);
  if (!m || !g) return Same("Diff");
  if (std::isnan(*m) || std::isnan(*g)) return Same("Nan");
  if (std::isinf(*m)) return Same(*m > 0 ? "inf" : "-inf");
  if (std::isinf(*g)) return Same(*g > 0 ? "-inf" : "inf");
  return OfNumbers(npu, bench, whole);
}

}  // namespace assay
