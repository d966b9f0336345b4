// What a token of JSON means.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/json_scan.h"
#include "base/utf8.h"

namespace assay {
namespace {

void AppendUtf8(char32_t code, std::string& out) {
  const auto tail = [&](int shift) {
    out += static_cast<char>(0x80 | (code >> shift & 0x3f));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

// The four digits of \uXXXX at the start of `text`; 0 if there are none.
char32_t CodeUnit(std::string_view text) {
  uint32_t unit = 0;
  if (!text.starts_with("\\u") || text.size() < 6) return 0;
  std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return unit;
}

// One or two \uXXXX; the number of characters they take.
size_t AppendUnicode(std::string_view text, std::string& out) {
  const char32_t first = CodeUnit(text);
  if (first < 0xd800 || first > 0xdfff) return AppendUtf8(first, out), 6;
  const char32_t second =
      CodeUnit(text.substr(std::min<size_t>(6, text.size())));
  if (first > 0xdbff || second < 0xdc00 || second > 0xdfff) {
    return AppendUtf8(kReplacement, out), 6;
  }
  AppendUtf8(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), out);
  return 12;
}

char Meaning(char escape) {
  switch (escape) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return escape;
  }
}

}  // namespace

std::string Unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const size_t slash = std::min(text.find('\\'), text.size());
    out += text.substr(0, slash);
    text.remove_prefix(slash);
    if (text.size() < 2) return out;
    size_t taken = 2;
    if (text[1] == 'u') {
      taken = AppendUnicode(text, out);
    } else {
      out += Meaning(text[1]);
    }
    text.remove_prefix(std::min(taken, text.size()));
  }
}

std::string JsonToken::Text() const {
  return escaped ? Unescape(text) : std::string(text);
}

std::optional<int64_t> JsonToken::Integer() const {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (kind != JsonKind::kNumber || error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> JsonToken::Real() const {
  if (kind != JsonKind::kNumber) return std::nullopt;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end) return value;
  // 1e999 is infinite and 1e-999 is zero, as in Python.
  return std::strtod(std::string(text).c_str(), nullptr);
}

}  // namespace assay
