#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codecs/ascend.h"
#include "core/dump.h"

namespace assay {

// What one of several threads dumped of an operator.
struct Slice {
  uint32_t file = 0;
  std::vector<StoredTensor> tensors;
};

struct JoinedTensor {
  uint32_t file = 0;  // the first that has a part of it
  StoredTensor stored;
  std::shared_ptr<const Join> join;  // null where it is one file's alone
  ErrorRef error;
};

// The first dimension along which an output is cut; nothing if it is whole.
std::optional<size_t> CutAxis(const AscendSlices& slices, size_t output);
// Is any output cut? If none is, each slice is a whole dump.
bool AnyCut(const AscendSlices& slices);

// Puts the slices of an operator, in order, together: each cut output along its
// axis. Inputs and outputs that are not cut are those of the first slice.
// `header` is the first slice's.
std::vector<JoinedTensor> JoinSlices(std::vector<Slice> slices,
                                     const AscendHeader& header);

}  // namespace assay
