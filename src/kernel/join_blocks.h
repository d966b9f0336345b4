#pragma once

#include <memory>
#include <span>

#include "kernel/block_source.h"

namespace assay {

// The parts of a view joined along its axis, in order.
Result<std::unique_ptr<BlockSource>> OpenJoin(const OpenView& open,
                                              std::span<std::byte> buffer);

}  // namespace assay
