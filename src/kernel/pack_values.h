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
  using Source = std::function<Result<std::string_view>()>;
  // `plain` gives the next bytes of the plain tensor; none at the end.
  static Result<PackedValues> Make(const Packed& packed, const Source& plain);

  // The next bytes of the packed tensor; none at the end.
  Result<std::string_view> Next();

 private:
  explicit PackedValues(InputFile file) : file_(std::move(file)) {}

  InputFile file_;
  uint64_t at_ = 0;
  std::string piece_;
};

}  // namespace assay
