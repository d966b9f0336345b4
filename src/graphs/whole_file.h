#pragma once

#include <string_view>

#include "base/input_file.h"
#include "base/mapped_window.h"
#include "base/result.h"

namespace assay {

// A whole graph file, mapped: what is not looked at is not read.
class WholeFile {
 public:
  // A file without bytes is an error.
  static Result<WholeFile> Map(const InputFile& file);

  std::string_view bytes() const { return bytes_; }
  // Nothing of it was lost while it was read. What a reader complains about
  // may be that: ask this first.
  Status Intact(const InputFile& file) const;

 private:
  WholeFile(MappedWindow window, std::string_view bytes)
      : window_(std::move(window)), bytes_(bytes) {}

  MappedWindow window_;
  std::string_view bytes_;
};

}  // namespace assay
