// Fields of a message written as JSON. Files are large, so this goes straight
// over the text; what is wrong with a text that is refused, the scanner of
// json_scan.h says.
#include <vector>

#include "base/char_scan.h"
#include "base/field_reader.h"
#include "base/json_scan.h"

namespace assay {
namespace {

bool IsSpace(char c) {
  return static_cast<uint8_t>(c) <= ' ' &&
         (c == ' ' || c == '\n' || c == '\t' || c == '\r');
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool EndsToken(char c) {
  return IsSpace(c) || c == ',' || c == '}' || c == ']' || c == ':';
}

class JsonFields final : public FieldReader {
 public:
  JsonFields(std::string_view json, std::string_view path)
      : begin_(json.data()),
        at_(begin_),
        end_(begin_ + json.size()),
        path_(path) {
    open_.reserve(16);
  }

  Field Next() override;
  Error error() const override;

 private:
  struct Open {
    char close;             // '}' or ']'
    std::string_view name;  // the field that it is the value of
  };

  std::string_view Json() const {
    return {begin_, static_cast<size_t>(end_ - begin_)};
  }
  Error Place(Error error, uint64_t at) const override;
  bool Here(char c) const { return at_ != end_ && *at_ == c; }
  void PassSpace() {
    while (at_ != end_ && IsSpace(*at_)) at_ = PassSpaces(at_ + 1, end_);
  }
  bool Begin();
  bool Enter(char close, std::string_view name);
  // Behind a comma, if one must be there.
  bool Separate();
  bool Key(std::string_view& name);
  Field Value(std::string_view name);
  Field String(std::string_view name);
  Field Token(std::string_view name);
  // Moves at_ behind the closing quote.
  bool PassString(bool& escaped);
  Field End();
  Field Fail();
  Field At(FieldKind kind, const char* at, std::string_view name = {}) const {
    return {
        .kind = kind, .at = static_cast<uint64_t>(at - begin_), .name = name};
  }

  const char *begin_, *at_, *end_;
  std::string_view path_;
  std::vector<Open> open_;
  bool fresh_ = false;  // behind an opening bracket
  bool begun_ = false, failed_ = false;
};

Field JsonFields::Fail() {
  failed_ = true;
  return At(FieldKind::kError, at_);
}

// The outermost object has no field.
bool JsonFields::Begin() {
  begun_ = true;
  PassSpace();
  return Here('{') && Enter('}', {});
}

bool JsonFields::Enter(char close, std::string_view name) {
  if (open_.size() == JsonScanner::kDeepest) return false;
  open_.push_back({close, name});
  fresh_ = true;
  ++at_;
  return true;
}

Field JsonFields::Next() {
  if (failed_ || (!begun_ && !Begin())) return Fail();
  while (!open_.empty()) {
    PassSpace();
    const Open& open = open_.back();
    std::string_view name = open.name;
    if (Here(open.close)) {
      const bool object = open.close == '}', empty = fresh_;
      open_.pop_back();
      fresh_ = false;
      ++at_;
      if (object && !open_.empty()) return At(FieldKind::kEnd, at_ - 1);
      if (object || !empty) continue;
      Field none = At(FieldKind::kNull, at_ - 1, name);
      none.text = "[]";
      return none;
    }
    if (!fresh_ && !Separate()) return Fail();
    fresh_ = false;
    if (open.close == '}' && !Key(name)) return Fail();
    if (!Here('[')) return Value(name);
    if (!Enter(']', name)) return Fail();
  }
  return End();
}

bool JsonFields::Separate() {
  if (!Here(',')) return false;
  ++at_;
  PassSpace();
  return true;
}

bool JsonFields::Key(std::string_view& name) {
  if (!Here('"')) return false;
  const char* const first = at_ + 1;
  bool escaped = false;
  if (!PassString(escaped)) return false;
  name = {first, static_cast<size_t>(at_ - first - 1)};
  PassSpace();
  if (!Here(':')) return false;
  ++at_;
  PassSpace();
  return true;
}

Field JsonFields::Value(std::string_view name) {
  if (Here('"')) return String(name);
  if (!Here('{')) return Token(name);
  return Enter('}', name) ? At(FieldKind::kBegin, at_ - 1, name) : Fail();
}

Field JsonFields::String(std::string_view name) {
  const char* const first = at_;
  bool escaped = false;
  if (!PassString(escaped)) return Fail();
  Field field = At(FieldKind::kString, first, name);
  field.text = {first + 1, static_cast<size_t>(at_ - first - 2)};
  field.form = escaped ? FieldForm::kJson : FieldForm::kPlain;
  return field;
}

bool JsonFields::PassString(bool& escaped) {
  const char* const first = at_;
  at_ = FindStringStop(first + 1, end_, '"');
  while (Here('\\')) {
    escaped = true;
    if (end_ - at_ < 2) return false;
    at_ = FindStringStop(at_ + 2, end_, '"');
  }
  if (!Here('"')) return false;
  ++at_;
  // Escapes are rare: the scanner knows which there are.
  const std::string_view text(first, static_cast<size_t>(at_ - first));
  return !escaped || JsonScanner(text).Next().kind == JsonKind::kString;
}

// A number or a word.
Field JsonFields::Token(std::string_view name) {
  const char* const first = at_;
  at_ += Here('-') ? 1 : 0;
  const bool zero = Here('0');
  while (at_ != end_ && IsDigit(*at_)) ++at_;
  const bool digits = at_ != end_ && EndsToken(*at_) && IsDigit(at_[-1]) &&
                      !(zero && at_ - first > 1);
  while (at_ != end_ && !EndsToken(*at_)) ++at_;
  Field field = At(FieldKind::kNumber, first, name);
  field.text = {first, static_cast<size_t>(at_ - first)};
  if (digits) return field;
  JsonScanner scan(field.text);
  const JsonKind kind = scan.Next().kind;
  if (kind == JsonKind::kNull) field.kind = FieldKind::kNull;
  if (kind == JsonKind::kTrue || kind == JsonKind::kFalse) {
    field.kind = FieldKind::kWord;
  }
  if (scan.Next().kind == JsonKind::kEnd) return field;
  at_ = first;
  return Fail();
}

Field JsonFields::End() {
  PassSpace();
  return at_ == end_ ? At(FieldKind::kDone, at_) : Fail();
}

Error JsonFields::error() const {
  JsonScanner scan(Json(), path_);
  scan.SkipValue();
  const JsonToken end = scan.Next();
  if (!scan.ok()) return scan.error();
  return scan.Wrong(end, "a JSON object expected");
}

Error JsonFields::Place(Error error, uint64_t at) const {
  Error placed = JsonScanner(Json(), path_)
                     .Wrong({.kind = JsonKind::kNull, .at = at}, error.what);
  placed.code = error.code;
  placed.hint = std::move(error.hint);
  return placed;
}

}  // namespace

std::unique_ptr<FieldReader> ReadJsonFields(std::string_view json,
                                            std::string_view path) {
  return std::make_unique<JsonFields>(json, path);
}

}  // namespace assay
