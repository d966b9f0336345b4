#pragma once

#include <cstdint>

// The records of a zip archive, all fields little-endian:
//   local header  signature, version, flags, method, time, date, crc,
//                 compressed, size (u32 each), name and extra length, name,
//                 extra
//   data          `compressed` bytes, maybe a data descriptor after them
//   ... one pair per member, then the central directory: one record per member,
//   then for zip64 an end record and its locator, then the end record.
namespace assay::zip {

inline constexpr uint32_t kLocal = 0x04034b50;
inline constexpr uint32_t kCentral = 0x02014b50;
inline constexpr uint32_t kEnd = 0x06054b50;
inline constexpr uint32_t kEnd64 = 0x06064b50;
inline constexpr uint32_t kLocator64 = 0x07064b50;

inline constexpr uint64_t kLocalBytes = 30;
inline constexpr uint64_t kCentralBytes = 46;
inline constexpr uint64_t kEndBytes = 22;
inline constexpr uint64_t kEnd64Bytes = 56;
inline constexpr uint64_t kLocator64Bytes = 20;

// "See the zip64 record" in a field of 16 or 32 bits.
inline constexpr uint16_t kSeeZip64Short = 0xffff;
inline constexpr uint32_t kSeeZip64 = 0xffffffff;
inline constexpr uint16_t kZip64Extra = 1;

inline constexpr uint16_t kEncrypted = 1 << 0 | 1 << 6 | 1 << 13;
inline constexpr uint16_t kUtf8 = 1 << 11;

}  // namespace assay::zip
