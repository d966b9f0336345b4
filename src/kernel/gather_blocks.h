#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "kernel/block_source.h"

namespace assay {

Error ShrankWhileRead(const std::string& path, uint64_t offset);

// The elements of a view with a map, picked from their places. `file` holds
// its parts, joined and decoded, from `offset` on; `begin` is in row-major
// bytes. The file may be closed afterwards.
Result<std::unique_ptr<BlockSource>> OpenGather(const InputFile& file,
                                                const StoredView& view,
                                                uint64_t offset, uint64_t begin,
                                                std::span<std::byte> buffer);

}  // namespace assay
