// Fields of a message written as JSON.
#include <vector>

#include "base/field_reader.h"
#include "base/json_scan.h"

namespace assay {
namespace {

class JsonFields final : public FieldReader {
 public:
  JsonFields(std::string_view json, std::string_view path)
      : scan_(json, path) {}

  Field Next() override;
  void Skip(const Field& first) override;
  Error error() const override { return scan_.Wrong(failed_, what_); }

 private:
  Error Place(Error error, uint64_t at) const override;
  bool Begin();
  Field Fail(const JsonToken& token, const char* what);
  Field CloseObject(const JsonToken& token);

  JsonScanner scan_;
  // Of each open object and array: the field that it is the value of.
  std::vector<std::string_view> names_;
  JsonToken failed_;
  const char* what_ = nullptr;  // set after a failure
};

FieldKind KindOf(JsonKind kind) {
  switch (kind) {
    case JsonKind::kString:
      return FieldKind::kString;
    case JsonKind::kNumber:
      return FieldKind::kNumber;
    case JsonKind::kTrue:
    case JsonKind::kFalse:
      return FieldKind::kWord;
    default:
      return FieldKind::kNull;
  }
}

Field JsonFields::Fail(const JsonToken& token, const char* what) {
  failed_ = token;
  what_ = what;
  return {.kind = FieldKind::kError, .at = token.at};
}

// The outermost object has no field.
bool JsonFields::Begin() {
  const JsonToken first = scan_.Next();
  if (first.kind != JsonKind::kBeginObject) {
    Fail(first, "a JSON object expected");
    return false;
  }
  names_.reserve(16);
  names_.push_back({});
  return true;
}

Field JsonFields::CloseObject(const JsonToken& token) {
  names_.pop_back();
  if (!names_.empty()) return {.kind = FieldKind::kEnd, .at = token.at};
  names_.push_back({});  // what comes now is the end, time and again
  return Next();
}

Field JsonFields::Next() {
  if (what_ != nullptr) return Fail(failed_, what_);
  if (names_.empty() && !Begin()) return Fail(failed_, what_);
  bool opened = false;  // an array, just now
  for (std::string_view name = names_.back();;) {
    const JsonToken token = scan_.Next();
    switch (token.kind) {
      case JsonKind::kKey:
        name = token.text;
        continue;
      case JsonKind::kBeginArray:
        names_.push_back(name);
        opened = true;
        continue;
      case JsonKind::kEndArray:
        names_.pop_back();
        if (opened) {
          return {.kind = FieldKind::kNull,
                  .at = token.at,
                  .name = name,
                  .text = "[]"};
        }
        name = names_.back();
        continue;
      case JsonKind::kBeginObject:
        names_.push_back(name);
        return {.kind = FieldKind::kBegin, .at = token.at, .name = name};
      case JsonKind::kEndObject:
        return CloseObject(token);
      case JsonKind::kEnd:
        return {.kind = FieldKind::kDone, .at = token.at};
      case JsonKind::kError:
        return Fail(token, "");
      default:
        return {.kind = KindOf(token.kind),
                .form = token.escaped ? FieldForm::kJson : FieldForm::kPlain,
                .at = token.at,
                .name = name,
                .text = token.text};
    }
  }
}

void JsonFields::Skip(const Field& first) {
  if (first.kind != FieldKind::kBegin || what_ != nullptr) return;
  scan_.Skip({.kind = JsonKind::kBeginObject});
  names_.pop_back();
}

Error JsonFields::Place(Error error, uint64_t at) const {
  Error placed = scan_.Wrong({.kind = JsonKind::kNull, .at = at}, error.what);
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
