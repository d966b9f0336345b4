#pragma once

#include <map>
#include <string_view>

#include "base/result.h"
#include "core/element_map.h"
#include "core/tensor.h"

namespace assay {

// Dimensions by letter, where each stands.
using NamedAxes = std::map<char, MapAxis>;

// Where the named dimensions of `tensor` stand. `shape`, in the order of
// `letters`, tells the extents that a layout of weights does not.
Result<NamedAxes> AxesOf(const StoredTensor& tensor, const Shape& shape,
                         std::string_view letters);

// The extent of the dimension with that letter; 1 if there is none.
int64_t ExtentOf(const Shape& shape, std::string_view letters, char letter);

// "NC1HWC0 of shape [1,4,5,16] needs 5 dimensions".
Error DoesNotFit(const StoredTensor& tensor, std::string_view why);

}  // namespace assay
