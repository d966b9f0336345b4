#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/number.h"
#include "core/shape.h"

namespace assay {

// Keeps the order of keys, which is part of what is read back.
using Json = nlohmann::ordered_json;

Result<Json> ParseJson(std::string_view text);

// Checked reads from one object that may have been edited by hand. Missing and
// null read as empty; what has the wrong kind does too, and the first such
// thing is kept in `problem`.
class JsonReader {
 public:
  JsonReader(const Json& json, std::string& problem);

  std::string Text(std::string_view key) const;
  std::optional<int64_t> Int(std::string_view key) const;
  uint64_t Uint(std::string_view key) const;
  int SmallInt(std::string_view key) const;
  std::optional<double> Real(std::string_view key) const;
  std::optional<Number> NumberAt(std::string_view key) const;
  std::vector<std::string> Texts(std::string_view key) const;
  Shape Ints(std::string_view key) const;
  std::vector<double> Reals(std::string_view key) const;

  bool Has(std::string_view key) const { return !At(key).is_null(); }
  JsonReader Object(std::string_view key) const;
  // The objects of a list.
  std::vector<JsonReader> Objects(std::string_view key) const;
  // The members of an object, in their order.
  std::vector<std::string> Keys() const;
  // The name's place in `names`; a name that is not there is a problem.
  size_t Choice(std::string_view key,
                std::span<const std::string_view> names) const;
  // The value of an enumeration, by its Name().
  template <typename Enum, size_t kCount>
  Enum Named(std::string_view key) const {
    std::array<std::string_view, kCount> names;
    for (size_t i = 0; i < kCount; ++i) names[i] = Name(static_cast<Enum>(i));
    return static_cast<Enum>(Choice(key, names));
  }

 private:
  const Json& At(std::string_view key) const;
  const Json& List(std::string_view key) const;
  void Complain(std::string_view key, std::string_view wanted) const;

  const Json* json_;
  std::string* problem_;
};

}  // namespace assay
