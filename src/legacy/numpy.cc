#include "legacy/numpy.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

namespace assay {
namespace {

// Python's layout of shortest digits in the form d.ddde+xx: plain from 1e-4 to
// below 1e16, with a point always.
std::string PythonLayout(std::string_view scientific) {
  std::string out;
  if (scientific.starts_with('-')) {
    out = "-";
    scientific.remove_prefix(1);
  }
  const size_t e = scientific.find('e');
  int exponent = 0;
  const char* from = scientific.data() + e + 1;
  if (*from == '+') ++from;
  std::from_chars(from, scientific.data() + scientific.size(), exponent);
  std::string digits(scientific.substr(0, 1));
  if (e > 2) digits += scientific.substr(2, e - 2);
  if (exponent < -4 || exponent >= 16) {
    out += digits.substr(0, 1);
    if (digits.size() > 1) out += "." + digits.substr(1);
    return out + fmt::format("e{:+03d}", exponent);
  }
  if (exponent < 0) {
    return out + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') +
           digits;
  }
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() < whole) digits.append(whole - digits.size(), '0');
  out += digits.substr(0, whole) + ".";
  return out + (digits.size() > whole ? digits.substr(whole) : "0");
}

std::string_view NonFinite(double value) {
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

template <typename T>
std::string Shortest(T value) {
  if (!std::isfinite(value)) return std::string(NonFinite(value));
  std::array<char, 40> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::scientific);
  return PythonLayout({text.data(), end.ptr});
}

}  // namespace

std::string FixedText(double value, int digits) {
  if (!std::isfinite(value)) return std::string(NonFinite(value));
  return fmt::format("{:.{}f}", value, digits);
}

std::string ReprText(double value) { return Shortest(value); }

double RoundedTo(double value, int digits) {
  return std::strtod(FixedText(value, digits).c_str(), nullptr);
}

std::string Float32Text(float value) { return Shortest(value); }

std::string Float16Text(float value) {
  if (!std::isfinite(value)) return std::string(NonFinite(value));
  // Five digits tell all halves apart.
  for (int digits = 0; digits < 5; ++digits) {
    const std::string text = fmt::format("{:.{}e}", value, digits);
    if (ToHalf(std::strtof(text.c_str(), nullptr)) == value) {
      return PythonLayout(text);
    }
  }
  return Shortest(value);
}

}  // namespace assay
