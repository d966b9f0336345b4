#include "graphs/ge_attr.h"

#include <fmt/format.h>

#include "base/name_key.h"

namespace assay {
namespace {

// As we write it: not 0x10 or 007.
bool IsDecimal(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  return number == "0" || !number.starts_with('0');
}

// Weights and kernels: bytes that nobody reads as an attribute.
bool IsBulk(std::string_view name) { return name == "data" || name == "bt"; }

void Separate(std::string& text) {
  if (!text.empty() && text.back() != '[' && text.back() != '{') text += ',';
}

}  // namespace

void GeAttr::Clear() {
  key = text = {};
  kind = Kind::kNothing;
  integer = 0;
  value = kNoName;
  strings.clear();
  integers.clear();
  other = false;
}

void GeAttr::WordList(const NamePool& names) {
  text_store = "[";
  bool more = false;
  for (const NameId id : strings) {
    fmt::format_to(std::back_inserter(text_store), "{}{}", more ? "," : "",
                   names[id]);
    more = true;
  }
  for (const int64_t number : integers) {
    fmt::format_to(std::back_inserter(text_store), "{}{}", more ? "," : "",
                   number);
    more = true;
  }
  text_store += ']';
  text = text_store;
}

bool GeAttrReader::Stop(const Field& field, std::string_view what) {
  wrong_ = field;
  what_ = what;
  return false;
}

bool GeAttrReader::Read(GeAttr& attr) {
  attr.Clear();
  for (;;) {
    const Field field = in_.Next();
    if (field.kind == FieldKind::kEnd) return true;
    if (field.kind == FieldKind::kError) return Stop(field, "");
    const uint64_t name = NameKey(field.name);
    if (name == NameKey("key") && field.IsScalar()) {
      attr.key = field.View(attr.key_store);
    } else if (name == NameKey("value") && field.kind == FieldKind::kBegin) {
      if (!Value(attr)) return false;
    } else if (field.kind != FieldKind::kNull) {
      return Stop(field, "an attribute has a key and a value");
    }
  }
}

bool GeAttrReader::Value(GeAttr& attr) {
  for (;;) {
    const Field field = in_.Next();
    if (field.kind == FieldKind::kEnd) return true;
    if (field.kind == FieldKind::kError) return Stop(field, "");
    if (field.kind != FieldKind::kNull && !OneOf(field, attr)) return false;
  }
}

bool GeAttrReader::OneOf(const Field& field, GeAttr& attr) {
  const bool message = field.kind == FieldKind::kBegin;
  switch (NameKey(field.name)) {
    case NameKey("s"):
      return String(field, attr);
    case NameKey("i"):
    case NameKey("dt"):
      return Integer(field, attr);
    case NameKey("f"):
    case NameKey("b"):
    case NameKey("expression"):
      return Scalar(field, attr);
    case NameKey("list"):
      return message ? List(attr) : Stop(field, "'list' should be a message");
    case NameKey("list_list_int"):
    case NameKey("list_list_float"):
      return message ? ListOfLists(attr)
                     : Stop(field, "a list of lists should be a message");
    case NameKey("g"):
    case NameKey("bt"):
      in_.Skip(field);  // a whole graph; bytes
      attr.kind = GeAttr::Kind::kOther;
      attr.text = {};
      return true;
    default:
      if (!message) return true;  // of a later version
      attr.text_store.clear();
      attr.kind = GeAttr::Kind::kOther;
      if (!Message(attr)) return false;
      attr.text = attr.text_store;
      return true;
  }
}

bool GeAttrReader::String(const Field& field, GeAttr& attr) {
  if (!field.IsScalar()) return Stop(field, "'s' should be text");
  attr.kind = GeAttr::Kind::kText;
  attr.text = field.View(attr.text_store);
  if (c_escapes_ && attr.text.find('\\') != std::string_view::npos) {
    attr.text = attr.text_store = UnescapeC(attr.text);
  }
  return true;
}

bool GeAttrReader::Integer(const Field& field, GeAttr& attr) {
  const std::optional<int64_t> value = field.Integer();
  if (!value) return Stop(field, "an integer expected");
  attr.kind = GeAttr::Kind::kInteger;
  attr.integer = *value;
  attr.text = field.View(attr.text_store);
  if (!IsDecimal(attr.text))
    attr.text = attr.text_store = std::to_string(*value);
  return true;
}

bool GeAttrReader::Scalar(const Field& field, GeAttr& attr) {
  if (!field.IsScalar()) return Stop(field, "a single value expected");
  attr.kind = GeAttr::Kind::kOther;
  attr.text = field.View(attr.text_store);
  if (field.name == "b") {
    const std::optional<bool> truth = field.Truth();
    if (!truth) return Stop(field, "true or false expected");
    attr.text = *truth ? "true" : "false";
  }
  return true;
}

bool GeAttrReader::List(GeAttr& attr) {
  attr.kind = GeAttr::Kind::kList;
  attr.text_store = "[";
  for (;;) {
    const Field field = in_.Next();
    if (field.kind == FieldKind::kError) return Stop(field, "");
    if (field.kind == FieldKind::kEnd) break;
    if (field.kind != FieldKind::kNull && !ListEntry(field, attr)) return false;
  }
  attr.text_store += ']';
  attr.text = attr.text_store;
  return true;
}

bool GeAttrReader::ListEntry(const Field& field, GeAttr& attr) {
  const bool message = field.kind == FieldKind::kBegin;
  switch (NameKey(field.name)) {
    case NameKey("val_type"):
      in_.Skip(field);
      return true;
    case NameKey("g"):
    case NameKey("bt"):
      attr.other = true;
      in_.Skip(field);
      return true;
    case NameKey("i"): {
      const std::optional<int64_t> value = field.Integer();
      if (!value) return Stop(field, "an integer expected");
      attr.integers.push_back(*value);
      break;
    }
    case NameKey("s"):
      if (message) return Stop(field, "'s' should be text");
      attr.strings.push_back(names_.Intern(field.View(scratch_)));
      break;
    default:
      attr.other = true;
      if (message) return Message(attr);
  }
  Append(field, attr);
  return true;
}

void GeAttrReader::Append(const Field& field, GeAttr& attr) {
  Separate(attr.text_store);
  attr.text_store += field.View(scratch_);
}

// list_list_i { list_i: 1 list_i: 5 } becomes [1,5].
bool GeAttrReader::ListOfLists(GeAttr& attr) {
  attr.kind = GeAttr::Kind::kOther;
  attr.text_store = "[";
  for (size_t open = 1; open > 0;) {
    const Field field = in_.Next();
    if (field.kind == FieldKind::kError) return Stop(field, "");
    if (field.kind == FieldKind::kBegin) {
      Separate(attr.text_store);
      attr.text_store += '[';
      ++open;
    } else if (field.kind == FieldKind::kEnd) {
      attr.text_store += ']';
      --open;
    } else if (field.IsScalar()) {
      Append(field, attr);
    }
  }
  attr.text = attr.text_store;
  return true;
}

bool GeAttrReader::Message(GeAttr& attr) {
  std::string& text = attr.text_store;
  Separate(text);
  text += '{';
  for (size_t open = 1; open > 0;) {
    const Field inner = in_.Next();
    if (inner.kind == FieldKind::kError) return Stop(inner, "");
    if (inner.kind == FieldKind::kEnd) {
      text += '}';
      --open;
    } else if (IsBulk(inner.name) || inner.kind == FieldKind::kNull) {
      in_.Skip(inner);
    } else {
      Separate(text);
      text.append(inner.name).append(":");
      if (inner.kind == FieldKind::kBegin) {
        text += '{';
        ++open;
      } else {
        text += inner.View(scratch_);
      }
    }
  }
  return true;
}

}  // namespace assay
