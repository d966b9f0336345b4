#include "base/json_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "base/char_scan.h"
#include "base/text.h"
#include "base/utf8.h"

namespace assay {
namespace {

void AppendEscaped(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const char* const stop = PassPlain(text.data(), text.data() + text.size());
    const auto plain = static_cast<size_t>(stop - text.data());
    out.append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const Rune rune = FirstRune(text);
    const char c = text[0];
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += ValidUtf8(text.substr(0, rune.bytes));
    }
    text.remove_prefix(rune.bytes);
  }
}

}  // namespace

std::string JsonQuoted(std::string_view text) {
  std::string out = "\"";
  AppendEscaped(text, out);
  return out + '"';
}

void JsonWriter::Separate() {
  if (out_.empty()) return;
  const char last = out_.back();
  if (last != '{' && last != '[' && last != ':' && last != '\n') out_ += ',';
}

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Separate();
  out_ += '"';
  AppendEscaped(key, out_);
  out_ += "\":";
  return *this;
}

JsonWriter& JsonWriter::Text(std::string_view value) {
  Separate();
  out_ += '"';
  AppendEscaped(value, out_);
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::TextOrNull(std::string_view value) {
  return value.empty() ? Null() : Text(value);
}

JsonWriter& JsonWriter::Real(double value) {
  const std::string text = ShortestText(value);
  return std::isfinite(value) ? Raw(text) : Text(text);
}

JsonWriter& JsonWriter::Int(int64_t value) {
  const fmt::format_int text(value);
  return Raw({text.data(), text.size()});
}
JsonWriter& JsonWriter::Uint(uint64_t value) {
  const fmt::format_int text(value);
  return Raw({text.data(), text.size()});
}
JsonWriter& JsonWriter::Bool(bool value) {
  return Raw(value ? "true" : "false");
}
JsonWriter& JsonWriter::Null() { return Raw("null"); }

JsonWriter& JsonWriter::Raw(std::string_view json) {
  Separate();
  out_ += json;
  return *this;
}

}  // namespace assay
