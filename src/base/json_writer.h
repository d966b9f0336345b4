#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

// Writes JSON text without building a tree: numbers as the shortest text that
// reads back, non-finite ones as "nan", "inf", "-inf"; keys in call order.
class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }
  JsonWriter& Key(std::string_view key);

  JsonWriter& Text(std::string_view value);        // invalid UTF-8 is replaced
  JsonWriter& TextOrNull(std::string_view value);  // null when empty
  JsonWriter& Real(double value);
  JsonWriter& Int(int64_t value);
  JsonWriter& Uint(uint64_t value);
  JsonWriter& Bool(bool value);
  JsonWriter& Null();
  // Text that already is JSON.
  JsonWriter& Raw(std::string_view json);

  // About so many bytes will follow: they are not moved again and again.
  void Expect(size_t bytes) { out_.reserve(out_.size() + bytes); }

  const std::string& text() const { return out_; }
  std::string Take() { return std::move(out_); }

 private:
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);
  void Separate();

  std::string out_;
};

// A JSON string with its quotes.
std::string JsonQuoted(std::string_view text);

}  // namespace assay
