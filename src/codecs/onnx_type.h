#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "codecs/onnx_proto.h"
#include "core/dtype.h"

namespace assay {

// An element type of ONNX.
struct OnnxType {
  uint64_t number;  // of TensorProto.DataType
  std::string_view name;
  std::optional<DType> dtype;  // nothing: understood, not handled
  onnx::Field field;           // where the values are if not in raw_data
};

// Null if there is none.
const OnnxType* FindOnnxType(uint64_t number);
const OnnxType* FindOnnxType(DType dtype);

}  // namespace assay
