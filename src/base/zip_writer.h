#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/output_file.h"
#include "base/result.h"
#include "base/zip.h"

namespace assay {

// Writes stored members one after the other; Finish writes the directory. Every
// local header has room for sizes of 64 bits, the directory uses them when
// needed. All dates are 1980-01-01: equal members give equal archives.
class ZipWriter {
 public:
  explicit ZipWriter(OutputFile& out) : out_(out) {}

  Status Begin(std::string_view name);
  Status Append(std::string_view bytes);
  Status End();
  Status Finish();

 private:
  OutputFile& out_;
  std::vector<ZipMember> members_;
  std::unordered_set<std::string> names_;
};

}  // namespace assay
