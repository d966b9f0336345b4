#include "base/json_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace assay {
namespace {

// Bytes of the well-formed UTF-8 sequence at `text`, 0 if there is none.
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong_or_surrogate =
      (first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90);
  return overlong_or_surrogate ? 0 : length;
}

void AppendEscaped(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    const char c = text[0];
    if (length == 0) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
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
  if (!std::isfinite(value))
    return Text(std::isnan(value) ? "nan" : ShortestText(value));
  return Raw(ShortestText(value));
}

JsonWriter& JsonWriter::Int(int64_t value) {
  return Raw(fmt::format("{}", value));
}
JsonWriter& JsonWriter::Uint(uint64_t value) {
  return Raw(fmt::format("{}", value));
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
