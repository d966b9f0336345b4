#pragma once

#include <cstdint>

#include "base/result.h"
#include "codecs/ascend.h"
#include "codecs/ascend_wire.h"

namespace assay {

// Where a message DumpData stands in a file, and its values.
struct DumpDataPart {
  uint64_t begin = 0, end = 0;
  bool values_inside = false;  // in its `data` fields; else after it
};

// Reads everything but the values. Offsets of tensors are set only where the
// values are inside.
Result<AscendHeader> ReadDumpData(FileWindow& window, const DumpDataPart& part);

}  // namespace assay
