#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "core/shape.h"

namespace assay {

// The Python dict at the head of a .npy file.
struct NpyDict {
  // "<f4"; of a record type the list as it stands: "[('x', '<f4')]".
  std::string_view descr;
  bool fortran_order = false;
  Shape shape;
};

// Keys in any order, both kinds of quotes, any spaces, a trailing comma,
// numbers with an L. `path` and `base` place errors: byte `base` of `path` is
// text[0].
Result<NpyDict> ParseNpyDict(std::string_view text, std::string_view path,
                             uint64_t base);

}  // namespace assay
