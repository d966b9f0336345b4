#pragma once

#include <atomic>
#include <string>

#include "legacy/find_array.h"

namespace assay {

// The path of an array file. A tensor of a device's dump is decoded into one
// first, unless that was done before.
Result<std::string> DecodedPath(const FoundArray& array,
                                const OpenOptions& options,
                                const std::atomic<bool>& stop);

// All values as text, a line for each row of the last axis. A file that is
// there stays as it is.
Status WriteTextFile(const StoredView& view, const std::string& path,
                     const std::atomic<bool>& stop);

}  // namespace assay
