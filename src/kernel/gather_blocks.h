#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "kernel/block_source.h"

namespace assay {

Error ShrankWhileRead(const std::string& path, uint64_t offset);

// The elements of a view with a map, picked from their places. `file` holds
// its parts, joined and decoded, from `offset` on; `begin` is in row-major
// bytes. If the file is closed afterwards, nothing can be read from it later.
enum class Afterwards { kOpen, kClosed };
Result<std::unique_ptr<BlockSource>> OpenGather(const InputFile& file,
                                                Afterwards afterwards,
                                                const StoredView& view,
                                                uint64_t offset, uint64_t begin,
                                                std::span<std::byte> buffer);

}  // namespace assay
