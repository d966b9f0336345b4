#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/dtype.h"
#include "core/shape.h"

namespace assay {

// How the bytes of a tensor stand in its file.
enum class Encoding : uint8_t {
  kRaw,      // element after element
  kDeflate,  // one raw deflate stream
  kVarint,   // protobuf's packed variable-length integers
};

enum class Layout : uint8_t { kND };
std::string_view Name(Layout layout);

// Where the bytes are: part of one file.
struct Extent {
  uint64_t offset = 0;
  uint64_t length = 0;  // as stored, before decoding
  Encoding encoding = Encoding::kRaw;
  uint64_t skip = 0;  // decoded bytes before the first value (kDeflate)
  uint32_t crc = 0;   // of all decoded bytes (kDeflate)
};

// One tensor as a codec finds it. Nothing here holds data or an open file.
struct StoredTensor {
  std::string name;  // inside the file; empty where a file is one tensor
  DType dtype = DType::kF32;
  Shape shape;
  Layout layout = Layout::kND;
  bool big_endian = false;
  bool column_major = false;  // Fortran order
  Extent extent;
};

}  // namespace assay
