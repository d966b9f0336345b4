#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

enum class JsonKind : uint8_t {
  kBeginObject,
  kEndObject,
  kBeginArray,
  kEndArray,
  kKey,
  kString,
  kNumber,  // also NaN, Infinity and -Infinity, which Python writes
  kTrue,
  kFalse,
  kNull,
  kEnd,    // after the one value
  kError,  // and nothing else after it
};

struct JsonToken {
  JsonKind kind = JsonKind::kError;
  bool escaped = false;   // a key or string that has a backslash in it
  uint64_t at = 0;        // its first byte; of a string the quote
  std::string_view text;  // as it stands there; of a string without the quotes

  // Of a key or string: what is meant, in UTF-8 if the file is.
  std::string Text() const;
  // Nothing if it is no number, or no integer that fits.
  std::optional<int64_t> Integer() const;
  std::optional<double> Real() const;
};

// What the text between two quotes means. The scanner has checked the escapes;
// half a surrogate pair becomes U+FFFD.
std::string Unescape(std::string_view text);

// One token after another of a JSON text in memory: nothing is copied, nothing
// is allocated, and no tree stands in memory. The text must outlive the tokens.
//
//   for (JsonToken key = scan.Next(); key.kind == kKey; key = scan.Next()) {
//     if (key.text == "shape") ...; else scan.SkipValue();
//   }
class JsonScanner {
 public:
  static constexpr size_t kDeepest = 1024;

  // `path` is for errors, and must outlive the scanner.
  explicit JsonScanner(std::string_view json, std::string_view path = {})
      : json_(json), path_(path) {}

  // Commas and colons are checked and not handed out.
  JsonToken Next();
  // Passes over the value that comes next, all of it.
  void SkipValue() { Skip(Next()); }
  // The same if its first token was already taken.
  void Skip(const JsonToken& first);

  size_t depth() const { return depth_; }
  bool ok() const { return state_ != State::kFailed; }
  // What is wrong with the text, with byte and line.
  Error error() const;
  // A token that is well-formed and not what the reader needs; error() if the
  // token is the one that tells of it.
  Error Wrong(const JsonToken& token, std::string_view what) const;

 private:
  enum class State : uint8_t {
    kValue,
    kValueOrEnd,  // behind '['
    kKey,
    kKeyOrEnd,  // behind '{'
    kMore,      // behind a value: a comma or the end
    kDone,
    kFailed,
  };

  bool Here(char c) const { return at_ < json_.size() && json_[at_] == c; }
  bool InObject() const { return depth_ > 0 && objects_[depth_ - 1]; }
  void SkipSpace();
  JsonToken Open(bool object);
  JsonToken Close();
  JsonToken Key();
  JsonToken Value();
  JsonToken String();
  JsonToken NumberOrWord();
  bool StringEnd(size_t& at, bool& escaped);
  bool EscapeEnd(size_t& at);
  JsonToken Finish(JsonKind kind, size_t begin, size_t end);
  JsonToken Fail(size_t at, const char* expected);
  uint64_t LineOf(uint64_t at) const;

  std::string_view json_, path_;
  size_t at_ = 0;
  size_t depth_ = 0;
  State state_ = State::kValue;
  std::bitset<kDeepest> objects_;  // per level: an object, not an array
  size_t failed_at_ = 0;
  const char* expected_ = "";
};

}  // namespace assay
