#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/input_file.h"
#include "base/result.h"
#include "core/tensor.h"
#include "kernel/pair_blocks.h"
#include "kernel/work_buffers.h"

namespace assay {

// The type that holds every value of `type` where a format lacks it: bf16
// widens to f32, 8-bit floats to f64, packed integers to bytes, c32 to c64.
DType Widened(DType type);

// All values of one view, row-major and little-endian, as type `to`, which is
// its own type or Widened() of it.
class ValueStream {
 public:
  static Result<ValueStream> Open(const OpenView& open, DType to,
                                  const WorkBuffers& buffers);

  // The next bytes, valid until the next call; none when all were given.
  Result<std::string_view> Next();

 private:
  Result<std::string_view> Stored();
  Result<std::string_view> Widen();
  void Append(const float* values, size_t n);

  DType from_ = DType::kF32, to_ = DType::kF32;
  bool big_endian_ = false;
  uint64_t left_ = 0;  // reals
  std::unique_ptr<BlockSource> blocks_;
  Decoder decoder_ = nullptr;
  std::span<std::byte> tile_;
  std::string piece_;  // where the stored bytes are not what is wanted
};

}  // namespace assay
