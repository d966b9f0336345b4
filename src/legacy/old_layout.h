#pragma once

#include "core/tensor.h"

namespace assay {

// Whether msaccucmp can turn one layout into the other.
bool IsOldConversion(Layout from, Layout to);

// The layout of a tensor as msaccucmp takes it: NCHW and the like are that only
// with four dimensions.
Layout OldLayoutOf(const StoredTensor& tensor);

}  // namespace assay
