#include "reports/json_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace assay {
namespace {

const Json kNull;

std::optional<int64_t> ToInt(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  if (value.is_number_unsigned() && value.get<uint64_t>() > kMost) {
    return std::nullopt;
  }
  return value.get<int64_t>();
}

std::optional<Number> NonFinite(const std::string& text) {
  if (text == "nan") return Number(std::nan(""));
  if (text == "inf") return Number(HUGE_VAL);
  if (text == "-inf") return Number(-HUGE_VAL);
  return std::nullopt;
}

std::optional<Number> ToNumber(const Json& value) {
  if (value.is_number_unsigned()) {
    return Number({.uint = value.get<uint64_t>()}, NumberKind::kUnsigned);
  }
  if (value.is_number_integer()) {
    return Number({.sint = value.get<int64_t>()}, NumberKind::kSigned);
  }
  if (value.is_number()) return Number(value.get<double>());
  if (value.is_string()) return NonFinite(value.get_ref<const std::string&>());
  return std::nullopt;
}

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Corrupt("this is not JSON");
  if (!json.is_object()) return Corrupt("this is not a JSON object");
  return json;
}

JsonReader::JsonReader(const Json& json, std::string& problem)
    : json_(&json), problem_(&problem) {}

const Json& JsonReader::At(std::string_view key) const {
  if (!json_->is_object()) return kNull;
  const auto found = json_->find(key);
  return found == json_->end() ? kNull : *found;
}

void JsonReader::Complain(std::string_view key, std::string_view wanted) const {
  if (problem_->empty()) *problem_ = fmt::format("'{}' is not {}", key, wanted);
}

std::string JsonReader::Text(std::string_view key) const {
  const Json& value = At(key);
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_null()) Complain(key, "a text");
  return "";
}

std::optional<int64_t> JsonReader::Int(std::string_view key) const {
  const Json& value = At(key);
  if (value.is_null()) return std::nullopt;
  const std::optional<int64_t> number = ToInt(value);
  if (!number) Complain(key, "an integer");
  return number;
}

uint64_t JsonReader::Uint(std::string_view key) const {
  const Json& value = At(key);
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (!value.is_null()) Complain(key, "a count");
  return 0;
}

int JsonReader::SmallInt(std::string_view key) const {
  const int64_t value = Int(key).value_or(0);
  if (value == static_cast<int>(value)) return static_cast<int>(value);
  Complain(key, "a small integer");
  return 0;
}

std::optional<Number> JsonReader::NumberAt(std::string_view key) const {
  const Json& value = At(key);
  if (value.is_null()) return std::nullopt;
  const std::optional<Number> number = ToNumber(value);
  if (!number) Complain(key, "a number");
  return number;
}

std::optional<double> JsonReader::Real(std::string_view key) const {
  const std::optional<Number> number = NumberAt(key);
  return number ? std::optional(number->AsDouble()) : std::nullopt;
}

const Json& JsonReader::List(std::string_view key) const {
  const Json& value = At(key);
  if (value.is_array()) return value;
  if (!value.is_null()) Complain(key, "a list");
  return kNull;
}

std::vector<std::string> JsonReader::Texts(std::string_view key) const {
  std::vector<std::string> texts;
  for (const Json& value : List(key)) {
    if (!value.is_string()) {
      Complain(key, "a list of texts");
      break;
    }
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

Shape JsonReader::Ints(std::string_view key) const {
  Shape values;
  for (const Json& value : List(key)) {
    const std::optional<int64_t> number = ToInt(value);
    if (!number) {
      Complain(key, "a list of integers");
      break;
    }
    values.push_back(*number);
  }
  return values;
}

std::vector<double> JsonReader::Reals(std::string_view key) const {
  std::vector<double> values;
  for (const Json& value : List(key)) {
    const std::optional<Number> number = ToNumber(value);
    if (!number) {
      Complain(key, "a list of numbers");
      break;
    }
    values.push_back(number->AsDouble());
  }
  return values;
}

JsonReader JsonReader::Object(std::string_view key) const {
  const Json& value = At(key);
  if (!value.is_null() && !value.is_object()) Complain(key, "an object");
  return {value, *problem_};
}

std::vector<JsonReader> JsonReader::Objects(std::string_view key) const {
  std::vector<JsonReader> objects;
  for (const Json& value : List(key)) {
    if (!value.is_object()) Complain(key, "a list of objects");
    objects.emplace_back(value, *problem_);
  }
  return objects;
}

std::vector<std::string> JsonReader::Keys() const {
  std::vector<std::string> keys;
  if (!json_->is_object()) return keys;
  for (const auto& [key, value] : json_->items()) keys.push_back(key);
  return keys;
}

size_t JsonReader::Choice(std::string_view key,
                          std::span<const std::string_view> names) const {
  const std::string name = Text(key);
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  Complain(key, "one of the known words");
  return 0;
}

}  // namespace assay
