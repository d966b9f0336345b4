#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "base/result.h"

namespace assay {

enum class ZipMethod : uint16_t { kStored = 0, kDeflate = 8 };

// One member of an archive. Everything was checked: its bytes lie inside the
// file, overlap no other member, and can decode to the size it claims.
struct ZipMember {
  std::string name;
  ZipMethod method = ZipMethod::kStored;
  uint64_t compressed = 0;  // bytes in the file
  uint64_t size = 0;        // bytes after decoding
  uint32_t crc = 0;
  uint64_t header = 0;  // offset of the local header
  uint64_t data = 0;    // offset of the first compressed byte
};

// What a member's name may be. Components '..' are always refused.
enum class ZipNames {
  kPaths,  // a leading '/' is refused too
  kKeys,   // a leading '/' is part of the key: nobody unpacks to that path
};

// The members in the order of the central directory. Understands zip64, data
// descriptors and bytes in front of the archive.
Result<std::vector<ZipMember>> ListZip(const InputFile& file,
                                       ZipNames names = ZipNames::kPaths);

// The first bytes of a member, decoded: `limit`, or all if it is smaller.
Result<std::string> ReadZipHead(const InputFile& file, const ZipMember& member,
                                uint64_t limit);

// Why a member must not bear this name; empty if it may.
std::string_view BadZipName(std::string_view name, ZipNames names);

}  // namespace assay
