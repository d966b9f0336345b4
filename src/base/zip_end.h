#pragma once

#include <cstdint>
#include <string_view>

#include "base/input_file.h"
#include "base/result.h"

namespace assay::zip {

inline constexpr std::string_view kTruncated =
    "the file looks truncated; was the dump interrupted?";
inline constexpr std::string_view kDamaged =
    "the archive is damaged; copy it again";

struct Directory {
  uint64_t begin = 0, end = 0;  // bytes of the central directory
  uint64_t prefix = 0;          // bytes in front of the archive
  uint64_t count = 0;           // members it claims
};

// Searches the end of the file for the end records, plain and zip64.
Result<Directory> FindDirectory(const InputFile& file);

}  // namespace assay::zip
