#include "graphs/om_attributes.h"

#include "base/name_key.h"

namespace assay {
namespace {

// Only the dictionary's own lists are read: they are large.
struct RawList {
  std::vector<std::string> strings;
  std::vector<bool> truths;
};

// What is between { and } of a list.
bool ReadList(FieldReader& in, RawList& list) {
  for (;;) {
    const Field field = in.Next();
    if (field.kind == FieldKind::kEnd) return true;
    if (field.kind == FieldKind::kError) return false;
    if (field.name == "s") list.strings.push_back(field.Text());
    if (field.name == "b") list.truths.push_back(field.Truth().value_or(false));
    in.Skip(field);
  }
}

bool ReadValue(FieldReader& in, RawList& list) {
  for (;;) {
    const Field field = in.Next();
    if (field.kind == FieldKind::kEnd) return true;
    if (field.kind == FieldKind::kError) return false;
    if (field.name != "list") {
      in.Skip(field);
    } else if (!ReadList(in, list)) {
      return false;
    }
  }
}

// What is between { and } of an attribute.
bool ReadEntry(FieldReader& in, std::string& key, RawList& list) {
  key.clear();
  list = {};
  for (;;) {
    const Field field = in.Next();
    if (field.kind == FieldKind::kEnd) return true;
    if (field.kind == FieldKind::kError) return false;
    if (field.name == "key") key = field.Text();
    if (field.name == "value" && !ReadValue(in, list)) return false;
  }
}

}  // namespace

Result<std::optional<OmWords>> OmWords::Read(FieldReader& model) {
  OmWords words;
  bool shortened = false;
  std::string key;
  RawList list;
  for (;;) {
    const Field field = model.Next();
    if (field.kind == FieldKind::kError) return model.error();
    if (field.kind == FieldKind::kDone) break;
    if (field.name != "attr") {
      model.Skip(field);
      continue;
    }
    if (!ReadEntry(model, key, list)) return model.error();
    if (key == "om_compress_version") shortened = true;
    if (key == "attr_name_enum") words.names_ = std::move(list.strings);
    if (key == "attr_value_enum") words.values_ = std::move(list.strings);
    if (key == "attrs_use_string_value") {
      words.is_text_ = std::move(list.truths);
    }
  }
  words.is_text_.resize(words.names_.size());
  return shortened ? std::optional(std::move(words)) : std::nullopt;
}

// Digits of base 127, the lowest first, each stored with 1 added.
std::optional<uint64_t> ShortKeyNumber(std::string_view key) {
  constexpr uint64_t kBase = 127, kMost = uint64_t{1} << 32;
  if (key.size() < 2 || key[0] != '\0') return std::nullopt;
  uint64_t number = 0, weight = 1;
  for (const char c : key.substr(1)) {
    const auto digit = static_cast<uint8_t>(c);
    if (digit == 0 || digit > kBase || weight > kMost) return std::nullopt;
    number += (digit - 1) * weight;
    weight *= kBase;
  }
  return number;
}

bool OmWords::Expand(GeAttr& attr, NameCache& names) const {
  const std::optional<uint64_t> number = ShortKeyNumber(attr.key);
  if (!number || *number >= names_.size()) return false;
  const bool done = !is_text_[*number] || ExpandValue(attr, names);
  attr.key = names_[*number];
  return done;
}

bool OmWords::ExpandValue(GeAttr& attr, NameCache& names) const {
  const auto known = [&](int64_t number) {
    return number >= 0 && static_cast<uint64_t>(number) < values_.size();
  };
  if (attr.kind == GeAttr::Kind::kInteger && known(attr.integer)) {
    attr.kind = GeAttr::Kind::kText;
    attr.text = values_[static_cast<size_t>(attr.integer)];
    return true;
  }
  if (attr.kind != GeAttr::Kind::kList || attr.other || !attr.strings.empty()) {
    return false;
  }
  for (const int64_t number : attr.integers) {
    if (!known(number)) return false;
  }
  for (const int64_t number : attr.integers) {
    attr.strings.push_back(names.Intern(values_[static_cast<size_t>(number)]));
  }
  attr.integers.clear();
  attr.WordList(names.pool());
  return true;
}

void OmExpander::Expand(GeAttr& attr, NameCache& names) {
  for (const OmWords* words : {own_, first_}) {
    if (words == nullptr || !ShortKeyNumber(attr.key)) continue;
    if (!words->Expand(attr, names)) ++failures_;
  }
}

}  // namespace assay
