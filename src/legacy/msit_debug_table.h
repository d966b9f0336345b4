#pragma once

#include "legacy/msaccucmp_table.h"

namespace assay {

// Adds IsNpuOps, IsOutputNode and IsPrecisionError to msaccucmp's table.
void AddMsitColumns(TableRows& table);

}  // namespace assay
