#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "core/stored_view.h"
#include "kernel/work_buffers.h"

namespace assay {

// A value that is nan or infinite, and what stands beside it.
struct NonFiniteElement {
  std::optional<uint64_t> at;  // number of the real; none: only statistics
  double value = 0;
  std::vector<double> before, after;  // up to two each, in row-major order
};

// Can values of this type be anything but finite?
bool CanBeNonFinite(DType type);

// The first such value of a view; reading ends there.
Result<std::optional<NonFiniteElement>> ScanForNonFinite(
    const StoredView& view, const WorkBuffers& buffers,
    const std::atomic<bool>& stop);

// What statistics tell of the values they stand for.
std::optional<NonFiniteElement> NonFiniteIn(const TensorSummary& summary);

}  // namespace assay
