#pragma once

#include <cstdint>
#include <string_view>

#include "codecs/codec.h"

namespace assay {

// The first bytes of a nano dump.
bool BeginsNano(std::string_view head);
// Could these be the first bytes of a message DumpData of `length` bytes?
bool BeginsDumpData(std::string_view bytes, uint64_t length);

// By its name, or by its first bytes.
bool IsAscend(const Sniff& file);

std::string_view BaseName(std::string_view path);

}  // namespace assay
