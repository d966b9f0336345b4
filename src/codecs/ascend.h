#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/input_file.h"
#include "base/result.h"
#include "codecs/ascend_slices.h"
#include "codecs/codec.h"
#include "core/shape.h"

namespace assay {

enum class AscendKind : uint8_t {
  kBlocks,    // a protobuf header, then the values
  kProtobuf,  // the oldest: the values are inside the message
  kNano,      // a header of tags and lengths, then the values
};

// The lists of a header, in the order of their values in the file.
enum class AscendList : uint8_t { kInput, kOutput, kBuffer, kSpace };

struct AscendTensor {
  AscendList list = AscendList::kOutput;
  uint32_t index = 0;     // in its list
  int32_t data_type = 0;  // see ascend_type.h
  int32_t format = 0;     // a Layout where it is one
  int32_t sub_format = 0;
  Shape shape;                    // of the whole tensor
  Shape original;                 // empty where the header does not say
  std::optional<Shape> slice;     // what the file has of it
  uint64_t offset = 0, size = 0;  // in the file, with padding
  uint64_t address = 0;           // on the device; 0: not said
};
std::string NameOf(const AscendTensor& tensor);  // "input:0"

// No operator has that many; a damaged header may.
inline constexpr size_t kMostAscendTensors = 1 << 16;

struct AscendHeader {
  AscendKind kind = AscendKind::kBlocks;
  std::string version, op_name;
  uint64_t dump_time = 0;  // microseconds
  std::string dfx_message;
  std::vector<std::pair<std::string, std::string>> attrs;
  std::optional<AscendSlices> slices;  // from the first of `attrs`
  std::vector<AscendTensor> tensors;   // in the order of their values
};

// `name` is what the dump called the file, for its thread; a file may stand
// under a hash of it.
Result<AscendHeader> ReadAscendHeader(const InputFile& file,
                                      std::string_view name);
// One for each of the header; those that cannot be read have an error.
std::vector<StoredTensor> StoredTensors(const AscendHeader& header,
                                        std::string_view path);

Status WriteAscend(std::span<TensorToWrite> tensors, OutputFile& out);

}  // namespace assay
