#pragma once

#include <string>

#include "core/dump.h"
#include "legacy/msaccucmp_log.h"
#include "legacy/old_array.h"

namespace assay {

// One dump file, whatever stands beside it.
OldResult<Dump> OpenDumpFile(const std::string& path);

Status WriteNpy(const OldArray& array, const std::string& path);
// A view's values; types that NumPy lacks are widened.
Status WriteNpy(const StoredView& view, const std::string& path);

// What a device noted about an overflow, as DUMP.output.I.json; how many.
OldResult<int> WriteRecords(const Dump& dump, const std::string& folder);
// Buffers and workspaces as DUMP.l1buffer.I.bin and DUMP.space.I.bin.
OldStatus WriteBlocks(const Dump& dump, const std::string& folder);

}  // namespace assay
