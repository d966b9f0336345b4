// What a field means, whatever it was read from.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>

#include "base/field_reader.h"
#include "base/json_scan.h"

namespace assay {
namespace {

template <typename T>
std::optional<T> Parse(std::string_view text, int base) {
  T value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// The usual: a few digits. Nothing if it is anything else.
std::optional<int64_t> ParseShort(std::string_view text) {
  constexpr size_t kMost = 18;  // digits that always fit
  const bool negative = text.starts_with('-');
  const size_t first = negative ? 1 : 0, digits = text.size() - first;
  if (digits == 0 || digits > kMost) return std::nullopt;
  if (text[first] == '0' && digits > 1) return std::nullopt;
  int64_t value = 0;
  for (const char c : text.substr(first)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

// Decimal, 0x10 or 010; numbers above the largest int64 wrap, as they do when
// they are written as one.
std::optional<int64_t> ParseInteger(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  const std::optional<uint64_t> value = Parse<uint64_t>(text, base);
  if (!value || (negative && *value > uint64_t{1} << 63)) return std::nullopt;
  return static_cast<int64_t>(negative ? 0 - *value : *value);
}

std::optional<double> ParseReal(std::string_view text) {
  if (text.ends_with('f') || text.ends_with('F')) {
    if (!text.ends_with("inf")) text.remove_suffix(1);  // 1.5f
  }
  const std::string whole(text);
  char* end = nullptr;
  const double value = std::strtod(whole.c_str(), &end);
  if (whole.empty() || end != whole.c_str() + whole.size()) return std::nullopt;
  return value;
}

// As protobuf prints it: six digits if they read back, else nine.
std::string FloatText(float value) {
  std::string text = fmt::format("{:.6g}", value);
  if (std::strtof(text.c_str(), nullptr) == value || value != value) {
    return text;
  }
  return fmt::format("{:.9g}", value);
}

std::string DoubleText(double value) {
  std::string text = fmt::format("{:.15g}", value);
  if (std::strtod(text.c_str(), nullptr) == value || value != value) {
    return text;
  }
  return fmt::format("{:.17g}", value);
}

// `"a" 'b'` without the quotes, escapes as they are.
std::string JoinParts(std::string_view text) {
  std::string joined;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\0') {
      if (c == '"' || c == '\'') quote = c;
      if (c == '#') i = std::min(text.find('\n', i), text.size());
    } else if (c == quote) {
      quote = '\0';
    } else {
      joined += c;
      if (c == '\\' && i + 1 < text.size()) joined += text[++i];
    }
  }
  return joined;
}

}  // namespace

std::string_view Field::Reworded(std::string& scratch) const {
  switch (form) {
    case FieldForm::kPlain:
      return text;
    case FieldForm::kJson:
      return scratch = Unescape(text);
    case FieldForm::kC:
      return scratch = UnescapeC(text);
    case FieldForm::kCParts:
      return scratch = UnescapeC(JoinParts(text));
    case FieldForm::kSigned:
      return scratch = std::to_string(static_cast<int64_t>(bits));
    case FieldForm::kUnsigned:
      return scratch = std::to_string(bits);
    case FieldForm::kFloat:
      return scratch =
                 FloatText(static_cast<float>(std::bit_cast<double>(bits)));
    case FieldForm::kDouble:
      return scratch = DoubleText(std::bit_cast<double>(bits));
  }
  return text;
}

std::string Field::Text() const {
  std::string scratch;
  return std::string(View(scratch));
}

std::optional<int64_t> Field::Integer() const {
  if (form == FieldForm::kSigned || form == FieldForm::kUnsigned) {
    return static_cast<int64_t>(bits);
  }
  if (form != FieldForm::kPlain || !IsScalar()) return std::nullopt;
  const std::optional<int64_t> value = ParseShort(text);
  return value ? value : ParseInteger(text);
}

std::optional<double> Field::Real() const {
  if (form == FieldForm::kFloat || form == FieldForm::kDouble) {
    return std::bit_cast<double>(bits);
  }
  if (form == FieldForm::kSigned) {
    return static_cast<double>(static_cast<int64_t>(bits));
  }
  if (form == FieldForm::kUnsigned) return static_cast<double>(bits);
  if (form != FieldForm::kPlain || !IsScalar()) return std::nullopt;
  return ParseReal(text);
}

std::optional<bool> Field::Truth() const {
  if (form == FieldForm::kSigned || form == FieldForm::kUnsigned) {
    return bits != 0;
  }
  if (!IsScalar()) return std::nullopt;
  for (const std::string_view word : {"true", "True", "t", "1"}) {
    if (text == word) return true;
  }
  for (const std::string_view word : {"false", "False", "f", "0"}) {
    if (text == word) return false;
  }
  return std::nullopt;
}

void FieldReader::Skip(const Field& first) {
  if (first.kind != FieldKind::kBegin) return;
  for (size_t open = 1; open > 0;) {
    const Field field = Next();
    if (field.kind == FieldKind::kBegin) ++open;
    if (field.kind == FieldKind::kEnd) --open;
    if (field.kind == FieldKind::kError) return;
  }
}

Error FieldReader::Wrong(const Field& field, std::string_view what) const {
  if (field.kind == FieldKind::kError) return error();
  return Place(Corrupt("{}", what), field.at);
}

}  // namespace assay
