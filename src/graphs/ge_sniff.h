#pragma once

#include "base/field_reader.h"

namespace assay {

// Whether the beginning of a file, which may be cut anywhere, has the fields
// of a GE model or graph.
bool LooksLikeGe(FieldReader& head);

}  // namespace assay
