#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_reader.h"
#include "base/result.h"
#include "graphs/ge_model.h"

namespace assay {

// The words that an offline model's attributes were shortened with: a key is a
// zero byte and a number, a text its number.
class OmWords {
 public:
  // From the attributes of a ModelDef; nothing if it is not shortened.
  static Result<std::optional<OmWords>> Read(FieldReader& model);

  // False if the key or the value has no word; it stays then.
  bool Expand(GeAttr& attr, NameCache& names) const;

 private:
  bool ExpandValue(GeAttr& attr, NameCache& names) const;

  std::vector<std::string> names_, values_;
  std::vector<bool> is_text_;  // of a name: its values are numbers of texts
};

// The number in a shortened key; nothing if it is not one.
std::optional<uint64_t> ShortKeyNumber(std::string_view key);

// Expands with a model's own words, then with those of the first model.
class OmExpander final : public GeAttrExpander {
 public:
  OmExpander(const OmWords* own, const OmWords* first)
      : own_(own), first_(first) {}

  void Expand(GeAttr& attr, NameCache& names) override;
  uint64_t failures() const { return failures_; }

 private:
  const OmWords* own_;
  const OmWords* first_;
  uint64_t failures_ = 0;
};

}  // namespace assay
