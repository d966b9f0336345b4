#pragma once

#include <cstdint>
#include <string>

namespace assay {

// Fields of a protobuf message, as bytes.
inline std::string Varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
inline std::string Number(uint32_t field, uint64_t value) {
  return Varint(field << 3) + Varint(value);
}
inline std::string Bytes(uint32_t field, const std::string& bytes) {
  return Varint(field << 3 | 2) + Varint(bytes.size()) + bytes;
}

}  // namespace assay
