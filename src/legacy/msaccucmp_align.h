#pragma once

#include <optional>
#include <string>

#include "core/dump.h"
#include "legacy/msaccucmp_log.h"
#include "legacy/msaccucmp_rows.h"
#include "pipeline/measure.h"

namespace assay {

// How the sides of a row are brought together.
enum class OldAlignment : uint8_t {
  kByRule,     // my side in the layout that the graph names, cut to golden's
  kDetail,     // both in NCHW, or what is shown instead, by the same rules
  kByName,     // both without their padding
  kSameShape,  // neither is changed
  kStored,     // two device tensors as they are stored, with their padding
};

struct OldAligned {
  MeasureJob job;
  Shape shape;  // what the table shows
};

class ConvertedCopies;

struct OldSides {
  const Dump &my, &golden;
  ConvertedCopies* copies = nullptr;  // for layouts that need some
};

// The failure's text is the reason in the table.
OldResult<OldAligned> AlignRow(const OldRow& row, const OldSides& sides,
                               OldAlignment alignment);

}  // namespace assay
