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

enum CharClass : uint8_t { kOther, kSpace, kName, kDigit, kQuote };

constexpr std::array<CharClass, 256> kClasses = [] {
  std::array<CharClass, 256> classes{};
  for (const char c : {' ', '\n', '\t', '\r', '\v', '\f'}) {
    classes[static_cast<uint8_t>(c)] = kSpace;
  }
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 32] = kName;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  classes['_'] = kName;
  classes['"'] = classes['\''] = kQuote;
  return classes;
}();

CharClass ClassOf(char c) { return kClasses[static_cast<uint8_t>(c)]; }
bool InName(char c) { return ClassOf(c) == kName || ClassOf(c) == kDigit; }
bool InNumber(char c) { return InName(c) || c == '.' || c == '-' || c == '+'; }

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
  void PassSpace();
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

void TextFields::PassSpace() {
  while (at_ != end_) {
    if (ClassOf(*at_) == kSpace) {
      at_ = PassSpaces(at_ + 1, end_);
    } else if (*at_ == '#') {
      const void* line = std::memchr(at_, '\n', end_ - at_);
      at_ = line == nullptr ? end_ : static_cast<const char*>(line);
    } else {
      return;
    }
  }
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
    PassSpace();
    const bool colon = Here(':');
    if (colon) {
      ++at_;
      PassSpace();
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
    while (at_ != end_ && InName(*at_)) ++at_;
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
  return ClassOf(*at_) == kQuote ? String(name) : Scalar(name);
}

Field TextFields::Begin(std::string_view name) {
  if (open_.size() > kDeepest) return Fail(nullptr);
  open_.push_back({.close = *at_ == '{' ? '}' : '>'});
  ++at_;
  return {.kind = FieldKind::kBegin, .at = Offset(at_) - 1, .name = name};
}

Field TextFields::Scalar(std::string_view name) {
  const char* const first = at_;
  const bool word = ClassOf(*first) == kName;
  if (!word && !InNumber(*first)) return Fail("a value");
  ++at_;
  while (at_ != end_ && (word ? InName(*at_) : InNumber(*at_))) ++at_;
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
    const char* const last = at_;
    PassSpace();
    if (at_ == end_ || ClassOf(*at_) != kQuote) {
      at_ = last;
      return field;
    }
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
