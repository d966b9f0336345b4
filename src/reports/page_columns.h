#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "core/names.h"

namespace assay {

// Tables for the page: every column is an array of numbers, and a text is a
// number too, its place in one list of all texts. Numbers are stored plane by
// plane (all first bytes, then all second ones ...), which deflate likes.
//   "name":{"type":"u8|u32|f32|f64","count":N,"at":byte}
class PageColumns {
 public:
  void Texts(std::string_view name, std::span<const std::string_view> texts);
  void Bytes(std::string_view name, std::span<const uint8_t> values);
  void Whole(std::string_view name, std::span<const uint32_t> values);
  // NaN stands for no value. Nearly six digits are kept, which is more than the
  // page shows and what deflate packs well; whole numbers keep all of theirs.
  void Reals(std::string_view name, std::span<const double> values);

  // The members "columns" and "texts".
  void Describe(JsonWriter& json) const;
  const std::string& bytes() const { return bytes_; }

 private:
  template <typename T>
  void Add(std::string_view name, std::string_view type,
           std::span<const T> values);

  struct Column {
    std::string name, type;
    size_t count, at;
  };
  std::vector<Column> columns_;
  std::string bytes_;
  NamePool pool_;
  uint32_t texts_ = 1;  // the empty one
};

}  // namespace assay
