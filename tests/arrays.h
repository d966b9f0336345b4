#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// A .npy file of any type: its values are given as bytes.
inline std::string NpyBytes(std::string_view descr, const std::string& shape,
                            const std::string& values) {
  const std::string dict = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}\n", descr,
      shape);
  std::string bytes("\x93NUMPY\1\0", 8);
  bytes += static_cast<char>(dict.size() & 0xff);
  bytes += static_cast<char>(dict.size() >> 8);
  return bytes + dict + values;
}

template <typename T>
std::string_view Descr() {
  if constexpr (std::is_same_v<T, bool>) return "|b1";
  if constexpr (std::is_same_v<T, double>) return "<f8";
  if constexpr (std::is_same_v<T, int8_t>) return "|i1";
  if constexpr (std::is_same_v<T, int32_t>) return "<i4";
  if constexpr (std::is_same_v<T, int64_t>) return "<i8";
  return "<f4";
}

template <typename T>
std::string BytesOf(const std::vector<T>& values) {
  std::string bytes;
  for (const T value : values) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

template <typename T>
std::string Npy(const std::vector<T>& values, std::string shape = "") {
  if (shape.empty()) shape = fmt::format("{},", values.size());
  return NpyBytes(Descr<T>(), shape, BytesOf(values));
}

// Normal numbers, the same in every run.
template <typename T = float>
std::vector<T> Random(size_t n, int seed = 1) {
  std::mt19937 engine(static_cast<unsigned>(seed));
  std::vector<T> out;
  for (size_t i = 0; i < n; ++i) {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(engine()) / 0x1p32;
    out.push_back(static_cast<T>(sum));
  }
  return out;
}

template <typename T, typename Change>
std::vector<T> Changed(std::vector<T> values, const Change& change) {
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(change(static_cast<double>(values[i]), i));
  }
  return values;
}

template <typename T>
std::vector<T> Scaled(std::vector<T> values, double by) {
  return Changed(std::move(values), [=](double x, size_t) { return x * by; });
}

template <typename T>
std::vector<T> With(std::vector<T> values, size_t at, T value) {
  values[at] = value;
  return values;
}

// Rounded to so many bits of significand: 11 is float16, 8 is bfloat16.
inline double RoundedTo(double x, int bits) {
  int exponent = 0;
  const double part = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(part, bits)), exponent - bits);
}

template <typename T>
std::vector<T> Rounded(std::vector<T> values, int bits) {
  return Changed(std::move(values),
                 [=](double x, size_t) { return RoundedTo(x, bits); });
}

// The float16 bits of a number that is normal in float16, or zero.
inline uint16_t Half(double x) {
  const auto f = static_cast<float>(RoundedTo(x, 11));
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  const uint32_t sign = bits >> 16 & 0x8000;
  if (std::fabs(x) < 0x1p-14) return static_cast<uint16_t>(sign);
  return static_cast<uint16_t>(sign | ((bits & 0x7fffffff) - 0x38000000) >> 13);
}

inline std::string HalfNpy(const std::vector<float>& values) {
  std::vector<uint16_t> bits;
  for (const float x : values) bits.push_back(Half(x));
  return NpyBytes("<f2", fmt::format("{},", bits.size()), BytesOf(bits));
}

}  // namespace assay
