#pragma once

#include "base/field_reader.h"

namespace assay {

// Hands the fields of the innermost open message to `use`, which reads or
// skips what a field begins.
template <typename Use>
Status EachField(FieldReader& in, const Use& use) {
  for (;;) {
    const Field field = in.Next();
    if (field.kind == FieldKind::kError) return in.error();
    if (field.kind == FieldKind::kEnd || field.kind == FieldKind::kDone) {
      return Done{};
    }
    RETURN_IF_ERROR(use(field));
  }
}

}  // namespace assay
