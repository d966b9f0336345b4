#include "reports/page_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace assay {
namespace {

static_assert(std::endian::native == std::endian::little);

// A whole number that float32 would change.
bool NeedsDouble(double x) {
  return std::trunc(x) == x && std::fabs(x) > 0x1p24 &&
         static_cast<double>(static_cast<float>(x)) != x;
}

// To 19 significant bits, unless it is a whole number.
float Narrowed(double x) {
  const auto narrow = static_cast<float>(x);
  if (!std::isfinite(narrow) || std::trunc(narrow) == narrow) return narrow;
  const uint32_t bits = std::bit_cast<uint32_t>(narrow) + (1u << 4);
  const auto rounded = std::bit_cast<float>(bits & ~31u);
  return std::isfinite(rounded) ? rounded : narrow;
}

}  // namespace

template <typename T>
void PageColumns::Add(std::string_view name, std::string_view type,
                      std::span<const T> values) {
  columns_.push_back(
      {std::string(name), std::string(type), values.size(), bytes_.size()});
  const auto* raw = reinterpret_cast<const char*>(values.data());
  for (size_t plane = 0; plane < sizeof(T); ++plane) {
    for (size_t i = 0; i < values.size(); ++i) {
      bytes_ += raw[i * sizeof(T) + plane];
    }
  }
}

void PageColumns::Texts(std::string_view name,
                        std::span<const std::string_view> texts) {
  std::vector<uint32_t> numbers;
  for (const std::string_view text : texts) {
    numbers.push_back(pool_.Intern(text));
    texts_ = std::max(texts_, numbers.back() + 1);
  }
  Whole(name, numbers);
}

void PageColumns::Bytes(std::string_view name,
                        std::span<const uint8_t> values) {
  Add(name, "u8", values);
}

void PageColumns::Whole(std::string_view name,
                        std::span<const uint32_t> values) {
  Add(name, "u32", values);
}

void PageColumns::Reals(std::string_view name, std::span<const double> values) {
  if (std::ranges::any_of(values, NeedsDouble)) return Add(name, "f64", values);
  std::vector<float> narrow;
  for (const double value : values) narrow.push_back(Narrowed(value));
  Add(name, "f32", std::span<const float>(narrow));
}

void PageColumns::Describe(JsonWriter& json) const {
  json.Key("columns").BeginObject();
  for (const Column& column : columns_) {
    json.Key(column.name).BeginObject().Key("type").Text(column.type);
    json.Key("count").Uint(column.count).Key("at").Uint(column.at).EndObject();
  }
  json.EndObject().Key("texts").BeginArray();
  for (uint32_t i = 0; i < texts_; ++i) json.Text(pool_[i]);
  json.EndArray();
}

}  // namespace assay
