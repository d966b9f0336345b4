// Fields of protobuf's text form.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/char_scan.h"
#include "base/field_reader.h"
#include "base/utf8.h"

namespace assay {
namespace {

// What a character can be part of.
enum : uint8_t {
  kSpace = 1,
  kComment = 2,
  kName = 4,
  kNumber = 8,
  kQuote = 16
};

constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (const char c : {' ', '\n', '\t', '\r', '\v', '\f'}) {
    classes[static_cast<uint8_t>(c)] = kSpace;
  }
  for (int c = 'a'; c <= 'z'; ++c) {
    classes[c] = classes[c - 'a' + 'A'] = kName | kNumber;
  }
  for (int c = '0'; c <= '9'; ++c) classes[c] = kName | kNumber;
  classes['_'] = kName | kNumber;
  classes['.'] = classes['-'] = classes['+'] = kNumber;
  classes['"'] = classes['\''] = kQuote;
  classes['#'] = kComment;
  return classes;
}();

bool Is(char c, unsigned classes) {
  return (kClasses[static_cast<uint8_t>(c)] & classes) != 0;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

const char* PassWhile(const char* at, const char* end, unsigned classes) {
  while (at != end && Is(*at, classes)) ++at;
  return at;
}

class TextFields final : public FieldReader {
 public:
  TextFields(std::string_view text, std::string_view path)
      : begin_(text.data()),
        at_(begin_),
        end_(begin_ + text.size()),
        path_(path) {
    open_.reserve(16);
    open_.emplace_back();
  }

  Field Next() override;
  Error error() const override;

 private:
  enum class List : uint8_t { kNone, kFirst, kMore };
  struct Open {
    char close = '\0';        // what ends the message; none at the outermost
    List list = List::kNone;  // in [1,2]: before the first entry, behind one
    std::string_view name;    // of the field that is the list
  };

  Error Place(Error error, uint64_t at) const override;
  uint64_t Offset(const char* at) const {
    return static_cast<uint64_t>(at - begin_);
  }
  bool Here(char c) const { return at_ != end_ && *at_ == c; }
  void PassSpace() {
    if (at_ != end_ && Is(*at_, kSpace | kComment)) PassLines();
  }
  // The same where one space is usual.
  void PassOneSpace() {
    if (Here(' ')) ++at_;
    PassSpace();
  }
  void PassLines();
  void PassSpaceAndMarks();
  std::string_view TakeName();
  Field Close();
  bool EndOfList();
  Field Entry();
  Field Value(std::string_view name);
  Field Begin(std::string_view name);
  Field Scalar(std::string_view name);
  Field String(std::string_view name);
  // Moves at_ behind the closing quote.
  bool PassString(bool& escaped);
  Field Fail(const char* expected);

  const char *begin_, *at_, *end_;
  std::string_view path_;
  std::vector<Open> open_;
  const char* failed_at_ = nullptr;
  const char* expected_ = nullptr;  // null after a failure: too deep
};

// Spaces and comments.
void TextFields::PassLines() {
  const char* at = at_;
  while (at != end_ && Is(*at, kSpace | kComment)) {
    if (*at != '#') {
      at = PassSpaces(at + 1, end_);
      continue;
    }
    const void* line = std::memchr(at, '\n', static_cast<size_t>(end_ - at));
    at = line == nullptr ? end_ : static_cast<const char*>(line);
  }
  at_ = at;
}

void TextFields::PassSpaceAndMarks() {
  PassSpace();
  while (Here(';') || Here(',')) {
    ++at_;
    PassSpace();
  }
}

Field TextFields::Next() {
  if (failed_at_ != nullptr) return Fail(expected_);
  for (;;) {
    if (open_.back().list != List::kNone && !EndOfList()) return Entry();
    PassSpaceAndMarks();
    if (at_ == end_ || *at_ == '}' || *at_ == '>') return Close();
    const std::string_view name = TakeName();
    if (name.empty()) return Fail("a field name");
    PassOneSpace();
    const bool colon = Here(':');
    if (colon) {
      ++at_;
      PassOneSpace();
    }
    if (Here('{') || Here('<')) return Begin(name);
    if (!colon) return Fail("':' or '{'");
    if (!Here('[')) return Value(name);
    ++at_;
    open_.back().list = List::kFirst;
    open_.back().name = name;
  }
}

bool TextFields::EndOfList() {
  PassSpace();
  if (!Here(']')) return false;
  ++at_;
  open_.back().list = List::kNone;
  return true;
}

Field TextFields::Entry() {
  if (open_.back().list == List::kMore) {
    if (!Here(',')) return Fail("',' or ']'");
    ++at_;
    PassSpace();
  }
  open_.back().list = List::kMore;
  return Value(open_.back().name);
}

// A word, or [the.name/of] an extension.
std::string_view TextFields::TakeName() {
  const char* const first = at_;
  if (Here('[')) {
    const auto* close =
        static_cast<const char*>(std::memchr(at_, ']', end_ - at_));
    if (close == nullptr) return {};
    at_ = close + 1;
  } else {
    at_ = PassWhile(at_, end_, kName);
  }
  return {first, static_cast<size_t>(at_ - first)};
}

Field TextFields::Close() {
  const char close = open_.back().close;
  if (at_ == end_ && close == '\0') {
    return {.kind = FieldKind::kDone, .at = Offset(at_)};
  }
  if (!Here(close)) return Fail(close == '\0' ? "a field name" : "'}'");
  open_.pop_back();
  ++at_;
  return {.kind = FieldKind::kEnd, .at = Offset(at_) - 1};
}

Field TextFields::Value(std::string_view name) {
  if (at_ == end_) return Fail("a value");
  if (*at_ == '{' || *at_ == '<') return Begin(name);
  return Is(*at_, kQuote) ? String(name) : Scalar(name);
}

Field TextFields::Begin(std::string_view name) {
  if (open_.size() > kDeepest) return Fail(nullptr);
  open_.push_back({.close = *at_ == '{' ? '}' : '>'});
  ++at_;
  return {.kind = FieldKind::kBegin, .at = Offset(at_) - 1, .name = name};
}

Field TextFields::Scalar(std::string_view name) {
  const char* const first = at_;
  const bool word = Is(*first, kName) && !IsDigit(*first);
  at_ = PassWhile(first, end_, word ? kName : kNumber);
  if (at_ == first) return Fail("a value");
  Field field = {.kind = word ? FieldKind::kWord : FieldKind::kNumber,
                 .at = Offset(first),
                 .name = name};
  field.text = {first, static_cast<size_t>(at_ - first)};
  return field;
}

Field TextFields::String(std::string_view name) {
  const char* const first = at_;
  bool escaped = false;
  if (!PassString(escaped)) return Fail("a closing quote");
  Field field = {.kind = FieldKind::kString, .at = Offset(first), .name = name};
  field.text = {first + 1, static_cast<size_t>(at_ - first - 2)};
  field.form = escaped ? FieldForm::kC : FieldForm::kPlain;
  for (;;) {  // adjoining strings are one
    PassSpace();
    if (at_ == end_ || !Is(*at_, kQuote)) return field;
    if (!PassString(escaped)) return Fail("a closing quote");
    field.form = FieldForm::kCParts;
    field.text = {first, static_cast<size_t>(at_ - first)};
  }
}

bool TextFields::PassString(bool& escaped) {
  const char quote = *at_;
  for (++at_;; ++at_) {
    at_ = FindStringStop(at_, end_, quote);
    if (at_ == end_ || *at_ == '\n') return false;
    if (*at_ == quote) {
      ++at_;
      return true;
    }
    if (*at_ != '\\') continue;  // other control characters are text
    escaped = true;
    if (++at_ == end_) return false;
  }
}

Field TextFields::Fail(const char* expected) {
  if (failed_at_ == nullptr) failed_at_ = at_;
  expected_ = expected;
  return {.kind = FieldKind::kError, .at = Offset(failed_at_)};
}

Error TextFields::error() const {
  const uint64_t at = Offset(failed_at_);
  if (expected_ == nullptr) {
    return Place(Corrupt("nested deeper than {} levels", kDeepest), at);
  }
  if (failed_at_ == end_) {
    return Place(Corrupt("the text ends where {} should be", expected_), at)
        .Hint("the file looks truncated; was the dump interrupted?");
  }
  return Place(
      Corrupt("{} expected, found '{}'", expected_, Printable({failed_at_, 1})),
      at);
}

Error TextFields::Place(Error error, uint64_t at) const {
  error.line = 1 + static_cast<uint64_t>(std::count(begin_, begin_ + at, '\n'));
  return std::move(error).At(path_, at);
}

}  // namespace

std::unique_ptr<FieldReader> ReadTextFields(std::string_view text,
                                            std::string_view path) {
  return std::make_unique<TextFields>(text, path);
}

}  // namespace assay
