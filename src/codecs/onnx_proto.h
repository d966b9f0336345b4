#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/input_file.h"
#include "base/result.h"
#include "codecs/wire.h"
#include "core/shape.h"

namespace assay::onnx {

// The fields of TensorProto.
enum Field : uint32_t {
  kDims = 1,
  kDataType = 2,
  kSegment = 3,
  kFloatData = 4,
  kInt32Data = 5,
  kStringData = 6,
  kInt64Data = 7,
  kName = 8,
  kRawData = 9,
  kDoubleData = 10,
  kUint64Data = 11,
  kDocString = 12,
  kExternalData = 13,
  kDataLocation = 14,
  kMetadata = 16,
};

// "raw_data"; `number` is one of the above.
std::string_view FieldName(uint32_t number);

// What a TensorProto says; the values stay in the file.
struct Tensor {
  Shape dims;
  std::optional<uint64_t> data_type;
  std::string name;
  std::optional<WireField> values;  // raw_data or packed numbers
  uint64_t strings = 0;             // how many string_data
  bool external = false;
  std::string location;  // of external values
};

// Fails for what is no TensorProto, and for values that are not in one piece.
Result<Tensor> ReadTensor(const InputFile& file);

// It can be read as protobuf but is something else.
Error NotTensor(std::string_view why);
Error WholeModel();

}  // namespace assay::onnx
