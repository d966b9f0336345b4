#include "graphs/ge_take.h"

#include <fmt/format.h>

#include <charconv>

#include "base/name_key.h"
#include "graphs/ge_model.h"
#include "graphs/ge_schema.h"

namespace assay {

bool GeTaker::Stop(const Field& field, std::string_view what) {
  error_ = in_.Wrong(field, what);
  return false;
}

bool GeTaker::NotA(const Field& field, std::string_view what) {
  return Stop(field, fmt::format("'{}' should be {}", field.name, what));
}

bool GeTaker::Text(const Field& field, NameId& out) {
  if (field.kind == FieldKind::kNull) return true;
  if (!field.IsScalar()) return NotA(field, "text");
  out = names_.Intern(field.View(scratch_));
  return true;
}

bool GeTaker::TextList(const Field& field, std::vector<NameId>& out) {
  NameId name = kNoName;
  if (!Text(field, name)) return false;
  if (field.IsScalar()) out.push_back(name);
  return true;
}

bool GeTaker::Number(const Field& field, int64_t& out) {
  if (field.kind == FieldKind::kNull) return true;
  const std::optional<int64_t> value = field.Integer();
  if (!value) return NotA(field, "an integer");
  out = *value;
  return true;
}

bool GeTaker::Edge(const Field& field, std::vector<GraphEdge>& out) {
  if (field.kind == FieldKind::kNull) {
    if (field.text != "[]") out.emplace_back();
    return true;
  }
  if (!field.IsScalar()) return NotA(field, "text");
  out.push_back(ParseGeEdge(field.View(scratch_), names_));
  return true;
}

// A name, or its number.
bool GeTaker::DType(const Field& field, NameId& out) {
  const std::optional<int64_t> value = field.Integer();
  const std::span<const std::string_view> types = GeDataTypes();
  if (value && *value >= 0 && static_cast<size_t>(*value) < types.size()) {
    out = names_.Intern(types[static_cast<size_t>(*value)]);
    return true;
  }
  return Text(field, out);
}

bool GeTaker::Sizes(const Field& field, Shape& out) {
  sizes_.clear();
  const auto take = [&](const Field& f) {
    if (NameKey(f.name) != NameKey("dim")) return in_.Skip(f), true;
    if (f.kind == FieldKind::kNull) return true;
    return Number(f, sizes_.emplace_back());
  };
  if (!Message(field, [&] { return Each(take); })) return false;
  out = sizes_;
  return true;
}

GraphEdge ParseGeEdge(std::string_view text, NameCache& names) {
  const size_t colon = text.rfind(':');
  if (colon == text.npos) return {names.Intern(text), 0};
  int32_t index = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data() + colon + 1, end, index);
  if (error != std::errc() || stop != end) return {names.Intern(text), 0};
  return {names.Intern(text.substr(0, colon)), index};
}

}  // namespace assay
