#pragma once

#include <string_view>

#include "base/input_file.h"
#include "base/json_scan.h"
#include "base/mapped_window.h"
#include "base/result.h"

namespace assay {

// A whole JSON file, mapped: its size takes no memory of ours.
class JsonFile {
 public:
  static Result<JsonFile> Map(const InputFile& file);

  // The file must outlive it.
  JsonScanner Scan() const { return JsonScanner(text_, path_); }
  std::string_view text() const { return text_; }
  // Nothing of it was lost while it was read. What a scanner complains about
  // may be that: ask this first.
  Status Intact() const;

 private:
  JsonFile(MappedWindow window, std::string_view text, std::string_view path)
      : window_(std::move(window)), text_(text), path_(path) {}

  MappedWindow window_;
  std::string_view text_, path_;
};

}  // namespace assay
