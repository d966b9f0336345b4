#include "base/json_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/utf8.h"

namespace assay {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr uint64_t kOnes = 0x0101010101010101, kHighBits = kOnes << 7;

uint64_t EightAt(std::string_view text, size_t at) {
  uint64_t word;
  std::memcpy(&word, text.data() + at, sizeof word);
  return word;
}

// High bits set in the bytes that are zero; above the first such byte more may
// be set.
constexpr uint64_t Zeros(uint64_t word) { return (word - kOnes) & ~word; }

bool Stops(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

// The first quote, backslash or control character, eight bytes at a time.
size_t FindStop(std::string_view text, size_t at) {
  for (; text.size() - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
    const uint64_t word = EightAt(text, at);
    const uint64_t control = (word - kOnes * 0x20) & ~word;
    const uint64_t stops =
        (Zeros(word ^ kOnes * '"') | Zeros(word ^ kOnes * '\\') | control) &
        kHighBits;
    if (stops != 0)
      return at + static_cast<size_t>(std::countr_zero(stops)) / 8;
  }
  while (at < text.size() && !Stops(text[at])) ++at;
  return at;
}

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

size_t PassDigits(std::string_view text, size_t at) {
  while (at < text.size() && IsDigit(text[at])) ++at;
  return at;
}

// Where the number that begins at `at` ends; `at` itself if it is none.
size_t NumberEnd(std::string_view text, size_t at) {
  const auto has = [&](size_t i, char c) {
    return i < text.size() && text[i] == c;
  };
  const size_t whole = at + (has(at, '-') ? 1 : 0);
  size_t end = PassDigits(text, whole);
  if (end == whole || (text[whole] == '0' && end > whole + 1)) return at;
  if (has(end, '.')) {
    const size_t part = end + 1;
    end = PassDigits(text, part);
    if (end == part) return at;
  }
  if (has(end, 'e') || has(end, 'E')) {
    const size_t sign = end + 1;
    const size_t power = sign + (has(sign, '-') || has(sign, '+') ? 1 : 0);
    end = PassDigits(text, power);
    if (end == power) return at;
  }
  return end;
}

struct Word {
  std::string_view text;
  JsonKind kind;
};
constexpr Word kWords[] = {
    {"true", JsonKind::kTrue},       {"false", JsonKind::kFalse},
    {"null", JsonKind::kNull},       {"NaN", JsonKind::kNumber},
    {"Infinity", JsonKind::kNumber}, {"-Infinity", JsonKind::kNumber},
};

}  // namespace

// Indented files are a quarter space, and most of it is in long runs.
void JsonScanner::SkipSpace() {
  while (at_ < json_.size() && IsSpace(json_[at_])) {
    ++at_;
    while (json_.size() - at_ >= sizeof(uint64_t)) {
      const uint64_t others = EightAt(json_, at_) ^ kOnes * ' ';
      if (others != 0) {
        at_ += static_cast<size_t>(std::countr_zero(others)) / 8;
        break;
      }
      at_ += sizeof(uint64_t);
    }
  }
}

JsonToken JsonScanner::Next() {
  if (state_ == State::kFailed) return Fail(failed_at_, expected_);
  SkipSpace();
  if (state_ == State::kMore) {
    if (!Here(',')) return Close();
    ++at_;
    SkipSpace();
    state_ = InObject() ? State::kKey : State::kValue;
  } else if ((state_ == State::kKeyOrEnd && Here('}')) ||
             (state_ == State::kValueOrEnd && Here(']'))) {
    return Close();
  }
  if (state_ == State::kDone) {
    if (at_ < json_.size()) return Fail(at_, "the end");
    return {.kind = JsonKind::kEnd, .at = at_};
  }
  const bool key = state_ == State::kKey || state_ == State::kKeyOrEnd;
  return key ? Key() : Value();
}

JsonToken JsonScanner::Open(bool object) {
  if (depth_ == kDeepest) return Fail(at_, nullptr);
  objects_[depth_++] = object;
  state_ = object ? State::kKeyOrEnd : State::kValueOrEnd;
  ++at_;
  return {.kind = object ? JsonKind::kBeginObject : JsonKind::kBeginArray,
          .at = at_ - 1,
          .text = json_.substr(at_ - 1, 1)};
}

JsonToken JsonScanner::Close() {
  const bool object = InObject();
  if (!Here(object ? '}' : ']')) {
    return Fail(at_, object ? "',' or '}'" : "',' or ']'");
  }
  --depth_;
  return Finish(object ? JsonKind::kEndObject : JsonKind::kEndArray, at_,
                at_ + 1);
}

JsonToken JsonScanner::Key() {
  if (!Here('"')) {
    return Fail(at_, state_ == State::kKey ? "a key" : "a key or '}'");
  }
  JsonToken key = String();
  if (key.kind == JsonKind::kError) return key;
  key.kind = JsonKind::kKey;
  SkipSpace();
  if (!Here(':')) return Fail(at_, "':'");
  ++at_;
  state_ = State::kValue;
  return key;
}

JsonToken JsonScanner::Value() {
  switch (at_ < json_.size() ? json_[at_] : '\0') {
    case '"':
      return String();
    case '{':
      return Open(true);
    case '[':
      return Open(false);
    default:
      return NumberOrWord();
  }
}

JsonToken JsonScanner::String() {
  const size_t begin = at_;
  size_t end = begin + 1;
  bool escaped = false;
  if (!StringEnd(end, escaped)) return Fail(end, expected_);
  JsonToken token = Finish(JsonKind::kString, begin, end + 1);
  token.text = json_.substr(begin + 1, end - begin - 1);
  token.escaped = escaped;
  return token;
}

// Moves `at` to the closing quote, or to what is wrong.
bool JsonScanner::StringEnd(size_t& at, bool& escaped) {
  for (;;) {
    at = FindStop(json_, at);
    expected_ = "'\"'";
    if (at == json_.size()) return false;
    if (json_[at] == '"') return true;
    if (json_[at] != '\\') return false;
    escaped = true;
    if (!EscapeEnd(at)) return false;
  }
}

bool JsonScanner::EscapeEnd(size_t& at) {
  constexpr std::string_view kEscapes = "\"\\/bfnrtu";
  constexpr size_t kDigits = 4;
  expected_ = "an escape sequence";
  ++at;
  if (at == json_.size() || kEscapes.find(json_[at]) == kEscapes.npos)
    return false;
  const bool code = json_[at++] == 'u';
  for (size_t i = 0; code && i < kDigits; ++i, ++at) {
    expected_ = "four hexadecimal digits";
    if (at == json_.size() || !IsHex(json_[at])) return false;
  }
  return true;
}

JsonToken JsonScanner::NumberOrWord() {
  const size_t end = NumberEnd(json_, at_);
  if (end > at_) return Finish(JsonKind::kNumber, at_, end);
  for (const Word& word : kWords) {
    if (json_.substr(at_).starts_with(word.text)) {
      return Finish(word.kind, at_, at_ + word.text.size());
    }
  }
  return Fail(at_, state_ == State::kValue ? "a value" : "a value or ']'");
}

// A value is complete: behind it comes more, or the end.
JsonToken JsonScanner::Finish(JsonKind kind, size_t begin, size_t end) {
  at_ = end;
  state_ = depth_ == 0 ? State::kDone : State::kMore;
  return {.kind = kind, .at = begin, .text = json_.substr(begin, end - begin)};
}

void JsonScanner::Skip(const JsonToken& first) {
  if (first.kind != JsonKind::kBeginObject &&
      first.kind != JsonKind::kBeginArray) {
    return;
  }
  const size_t outside = depth_ - 1;
  while (ok() && depth_ > outside) Next();
}

JsonToken JsonScanner::Fail(size_t at, const char* expected) {
  state_ = State::kFailed;
  failed_at_ = at;
  expected_ = expected;
  return {.kind = JsonKind::kError, .at = at};
}

uint64_t JsonScanner::LineOf(uint64_t at) const {
  const std::string_view before = json_.substr(0, at);
  return 1 +
         static_cast<uint64_t>(std::count(before.begin(), before.end(), '\n'));
}

Error JsonScanner::error() const {
  Error error = Corrupt("nested deeper than {} levels", kDeepest);
  if (expected_ != nullptr && failed_at_ >= json_.size()) {
    error = Corrupt("the JSON text ends where {} should be", expected_)
                .Hint("the file looks truncated; was the dump interrupted?");
  } else if (expected_ != nullptr) {
    error = Corrupt("not JSON: {} expected, found '{}'", expected_,
                    Printable(json_.substr(failed_at_, 1)));
  }
  error.line = LineOf(failed_at_);
  return std::move(error).At(path_, failed_at_);
}

Error JsonScanner::Wrong(const JsonToken& token, std::string_view what) const {
  if (token.kind == JsonKind::kError) return error();
  Error wrong = Corrupt("{}", what).At(path_, token.at);
  wrong.line = LineOf(token.at);
  return wrong;
}

}  // namespace assay
