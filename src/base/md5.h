#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace assay {

// MD5 (RFC 1321), where an old name or file format is defined by it.
std::array<uint8_t, 16> Md5(std::string_view bytes);

}  // namespace assay
