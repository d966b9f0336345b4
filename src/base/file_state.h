#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace assay {

// Enough to see that a file was changed or replaced.
struct FileState {
  uint64_t inode = 0, size = 0;
  int64_t changed = 0;  // nanoseconds since 1970

  bool operator==(const FileState&) const = default;
};

// Nothing if it is gone, or is no regular file (a link is none).
std::optional<FileState> StateOf(const std::string& path);

// Whether some process has it open for writing. Nothing if this system or file
// system cannot tell.
std::optional<bool> BeingWritten(const std::string& path);

// Returns when its bytes are on the disk.
Status SyncFile(const std::string& path);

}  // namespace assay
