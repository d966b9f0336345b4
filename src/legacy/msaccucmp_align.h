#pragma once

#include <optional>
#include <string>

#include "core/dump.h"
#include "legacy/msaccucmp_rows.h"
#include "pipeline/measure.h"

namespace assay {

// How the sides of a row are brought together.
enum class OldAlignment : uint8_t {
  kByRule,     // my side in the layout that the graph names, cut to golden's
  kByName,     // both without their padding
  kSameShape,  // neither is changed
  kStored,     // two device tensors as they are stored, with their padding
};

struct OldAligned {
  std::optional<MeasureJob> job;  // none: they cannot be compared
  Shape shape;                    // what the table shows
  std::string reason;             // why they cannot
};

struct OldSides {
  const Dump &my, &golden;
};

OldAligned AlignRow(const OldRow& row, const OldSides& sides,
                    OldAlignment alignment);

}  // namespace assay
