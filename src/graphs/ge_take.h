#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_reader.h"
#include "core/graph.h"
#include "graphs/name_cache.h"

namespace assay {

// Takes values from the fields of a GE model. Each function is false if the
// field is not what it should be: `error_` says so. Nulls change nothing.
class GeTaker {
 protected:
  GeTaker(FieldReader& in, NamePool& names) : in_(in), names_(names) {}

  bool Stop(const Field& field, std::string_view what);
  // Calls `take` with each field of the message that is open.
  template <typename Take>
  bool Each(Take take) {
    for (;;) {
      const Field field = in_.Next();
      if (field.kind == FieldKind::kEnd || field.kind == FieldKind::kDone) {
        return true;
      }
      if (field.kind == FieldKind::kError) return Stop(field, "");
      if (!take(field)) return false;
    }
  }
  // Calls `take` if the field begins a message.
  template <typename Take>
  bool Message(const Field& field, Take take) {
    if (field.kind == FieldKind::kBegin) return take();
    return field.kind == FieldKind::kNull || NotA(field, "a message");
  }
  bool NotA(const Field& field, std::string_view what);

  bool Text(const Field& field, NameId& out);
  bool TextList(const Field& field, std::vector<NameId>& out);
  bool Number(const Field& field, int64_t& out);
  bool Edge(const Field& field, std::vector<GraphEdge>& out);
  bool DType(const Field& field, NameId& out);
  bool Sizes(const Field& field, Shape& out);

  FieldReader& in_;
  NameCache names_;
  std::optional<Error> error_;

 private:
  std::string scratch_;
  Shape sizes_;  // grown here and copied
};

}  // namespace assay
