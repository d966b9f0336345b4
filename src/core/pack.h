#pragma once

#include "base/result.h"
#include "core/element_map.h"
#include "core/tensor.h"

namespace assay {

// How a plain tensor stands in a device layout: `tensor` has the type, the
// padded shape and the layout of the result, `map` says where each element of
// the plain one goes. Between them is zero.
struct Packed {
  StoredTensor tensor;
  ElementMap map;
};

// `from` names the dimensions of `shape` (NCHW, ND, …). C0 follows from the
// type: 64 for i4, 32 for i8 and u8, 16 for others, 4 for C04.
Result<Packed> Pack(DType dtype, const Shape& shape, Layout from, Layout to,
                    int32_t groups);

}  // namespace assay
