#pragma once

#include <functional>
#include <string>

#include "base/input_file.h"
#include "base/result.h"
#include "core/pack.h"

namespace assay {

// The values of a plain tensor, row-major, put in their places of a device
// layout. They go through a temporary file, so that memory stays bounded; what
// nothing is put in is zero.
class PackedValues {
 public:
  // `next` appends the next bytes of the plain tensor; false at the end.
  static Result<PackedValues> Make(
      const Packed& packed,
      const std::function<Result<bool>(std::string&)>& next);

  // Appends the next bytes of the packed tensor to `out`; false at the end.
  Result<bool> Next(std::string& out);

 private:
  explicit PackedValues(InputFile file) : file_(std::move(file)) {}

  InputFile file_;
  uint64_t at_ = 0;
};

}  // namespace assay
