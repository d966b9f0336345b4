#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/tensor.h"
#include "kernel/work_buffers.h"

namespace assay {

// What dump_info.json keeps of a tensor's values. Of those that are finite;
// nothing if there is none.
struct TensorStats {
  bool has_nan = false, has_inf = false;
  std::optional<double> mean, median, min, max;
};

// One pass for most of it, and one or two more for the median; memory does not
// grow with the tensor. Of complex tensors all parts.
Result<TensorStats> StatsOf(const std::string& path, const StoredTensor& stored,
                            const WorkBuffers& buffers);

}  // namespace assay
