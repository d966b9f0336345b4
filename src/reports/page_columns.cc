#include "reports/page_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

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

template <typename T>
void WritePlanes(std::span<const T> values, char* out) {
  const auto* raw = reinterpret_cast<const char*>(values.data());
  for (size_t plane = 0; plane < sizeof(T); ++plane) {
    for (size_t i = 0; i < values.size(); ++i) {
      *out++ = raw[i * sizeof(T) + plane];
    }
  }
}

}  // namespace

template <typename T>
void PageColumns::Add(std::string_view name, std::string_view type,
                      std::span<const T> values) {
  const size_t at = bytes_.size();
  columns_.push_back({std::string(name), std::string(type), values.size(), at});
  bytes_.resize(at + values.size_bytes());
  WritePlanes(values, bytes_.data() + at);
}

void PageColumns::Texts(std::string_view name,
                        std::span<const std::string_view> texts) {
  std::vector<NameId> ids;
  for (const std::string_view text : texts) {
    ids.push_back(pool_.Intern(text));
    texts_ = std::max(texts_, ids.back() + 1);
  }
  const size_t at = bytes_.size();
  Whole(name, ids);
  text_columns_.push_back({at, std::move(ids)});
}

std::vector<std::string_view> PageColumns::SortTexts() {
  std::vector<NameId> sorted(texts_), rank(texts_);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, {}, [&](NameId id) { return pool_[id]; });
  std::vector<std::string_view> texts;
  for (const NameId id : sorted) {
    rank[id] = static_cast<NameId>(texts.size());
    texts.push_back(pool_[id]);
  }
  for (auto& [at, ids] : text_columns_) {
    for (NameId& id : ids) id = rank[id];
    WritePlanes(std::span<const NameId>(ids), bytes_.data() + at);
  }
  return texts;
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

std::string PageColumns::Finish(JsonWriter& json) && {
  const std::vector<std::string_view> texts = SortTexts();
  json.Key("columns").BeginObject();
  for (const Column& column : columns_) {
    json.Key(column.name).BeginObject().Key("type").Text(column.type);
    json.Key("count").Uint(column.count).Key("at").Uint(column.at).EndObject();
  }
  json.EndObject().Key("texts").BeginArray();
  for (const std::string_view text : texts) json.Text(text);
  json.EndArray();
  return std::move(bytes_);
}

}  // namespace assay
