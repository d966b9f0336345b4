#pragma once

#include "base/field_reader.h"

namespace assay {

// Hands the fields of the innermost open message to `use`, which reads or
// skips what a field begins. `end` gets the place behind the message.
template <typename Use>
Status EachField(FieldReader& in, const Use& use, uint64_t* end = nullptr) {
  for (;;) {
    const Field field = in.Next();
    if (field.kind == FieldKind::kError) return in.error();
    if (field.kind == FieldKind::kEnd || field.kind == FieldKind::kDone) {
      if (end != nullptr) *end = field.at;
      return Done{};
    }
    RETURN_IF_ERROR(use(field));
  }
}

}  // namespace assay
