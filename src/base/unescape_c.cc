// Escapes of C strings, as protobuf text has them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/field_reader.h"
#include "base/json_scan.h"

namespace assay {
namespace {

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

// At most `most` digits of `base` at the start of `text`, taken off it.
uint32_t TakeDigits(std::string_view& text, int base, size_t most) {
  uint32_t value = 0;
  for (; most > 0 && !text.empty() && DigitOf(text[0]) < base; --most) {
    value = value * static_cast<uint32_t>(base) +
            static_cast<uint32_t>(DigitOf(text[0]));
    text.remove_prefix(1);
  }
  return value;
}

char Meaning(char escape) {
  constexpr std::string_view kEscapes = "abfnrtv";
  constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v";
  const size_t at = kEscapes.find(escape);
  return at == kEscapes.npos ? escape : kMeanings[at];
}

void AppendCode(uint32_t code, std::string& out) {
  if (code > 0xffff) {  // as JSON has it: two halves
    code -= 0x10000;
    out += Unescape(fmt::format("\\u{:04x}\\u{:04x}",
                                0xd800 + (code >> 10 & 0x3ff),
                                0xdc00 + (code & 0x3ff)));
  } else {
    out += Unescape(fmt::format("\\u{:04x}", code));
  }
}

// What follows a backslash, taken off `text`.
void TakeEscape(std::string_view& text, std::string& out) {
  const char kind = text[0];
  if (DigitOf(kind) < 8) {
    out += static_cast<char>(TakeDigits(text, 8, 3));
    return;
  }
  text.remove_prefix(1);
  if (kind == 'x' || kind == 'X') {
    out += static_cast<char>(TakeDigits(text, 16, 2));
  } else if (kind == 'u' || kind == 'U') {
    AppendCode(TakeDigits(text, 16, kind == 'u' ? 4 : 8), out);
  } else {
    out += Meaning(kind);
  }
}

}  // namespace

std::string UnescapeC(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const size_t slash = std::min(text.find('\\'), text.size());
    out += text.substr(0, slash);
    text.remove_prefix(slash);
    if (text.size() < 2) return out += text;
    text.remove_prefix(1);
    TakeEscape(text, out);
  }
}

}  // namespace assay
