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
// number too, its place in one sorted list of all texts: whoever sorts by text
// sorts by number. Numbers are stored plane by plane (all first bytes, then all
// second ones ...), which deflate likes.
//   "name":{"type":"u8|u32|f32|f64","count":N,"at":byte}
class PageColumns {
 public:
  void Texts(std::string_view name, std::span<const std::string_view> texts);
  void Bytes(std::string_view name, std::span<const uint8_t> values);
  void Whole(std::string_view name, std::span<const uint32_t> values);
  // NaN stands for no value. Nearly six digits are kept, which is more than the
  // page shows and what deflate packs well; whole numbers keep all of theirs.
  void Reals(std::string_view name, std::span<const double> values);

  // Once, after the last column: the members "columns" and "texts", and the
  // columns' bytes.
  std::string Finish(JsonWriter& json) &&;

 private:
  template <typename T>
  void Add(std::string_view name, std::string_view type,
           std::span<const T> values);

  // Numbers the texts by their place in the sorted list, which is returned.
  std::vector<std::string_view> SortTexts();

  struct Column {
    std::string name, type;
    size_t count, at;
  };
  struct TextColumn {
    size_t at;
    std::vector<NameId> texts;
  };
  std::vector<Column> columns_;
  std::string bytes_;
  std::vector<TextColumn> text_columns_;  // their bytes are still to come
  NamePool pool_;
  NameId texts_ = 1;  // the empty one
};

}  // namespace assay
