#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The end of a file name that says "Ascend dump".
inline constexpr std::string_view kDumpName =
    ".Add.add_1.12.6.1700000000000001";

inline std::string Little(uint64_t value, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) {
    text += static_cast<char>(i < 8 ? value >> (8 * i) & 0xff : 0);
  }
  return text;
}

inline std::string ProtoVarint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) {
    bytes += static_cast<char>((value & 0x7f) | 0x80);
  }
  return bytes + static_cast<char>(value);
}
inline std::string ProtoNumber(uint32_t field, uint64_t value) {
  return ProtoVarint(field << 3) + ProtoVarint(value);
}
inline std::string ProtoBytes(uint32_t field, const std::string& bytes) {
  return ProtoVarint(field << 3 | 2) + ProtoVarint(bytes.size()) + bytes;
}
inline std::string ProtoShape(const std::vector<uint64_t>& dims) {
  std::string packed;
  for (const uint64_t dim : dims) packed += ProtoVarint(dim);
  return ProtoBytes(1, packed);
}

// A message of the header: data type, format ND, shape, size and maybe more.
inline std::string Output(int type, const std::vector<uint64_t>& dims,
                          uint64_t size, const std::string& more = "") {
  return ProtoBytes(3, ProtoNumber(1, type) + ProtoNumber(2, 2) +
                           ProtoBytes(3, ProtoShape(dims)) +
                           ProtoNumber(6, size) + more);
}
inline std::string Input(int type, const std::vector<uint64_t>& dims,
                         uint64_t size, const std::string& more = "") {
  return ProtoBytes(4, ProtoNumber(1, type) + ProtoNumber(2, 2) +
                           ProtoBytes(3, ProtoShape(dims)) +
                           ProtoNumber(5, size) + more);
}

inline const std::string kVersion2 = ProtoBytes(1, "2.0");

// A dump with `values` bytes after its header.
inline std::string Dump2(const std::string& fields, size_t values = 0) {
  const std::string header = kVersion2 + fields;
  return Little(header.size(), 8) + header + std::string(values, 'v');
}

}  // namespace assay
