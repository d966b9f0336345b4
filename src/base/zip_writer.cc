#include "base/zip_writer.h"

#include <zlib.h>

#include <algorithm>
#include <concepts>

#include "base/zip_layout.h"

namespace assay {
namespace {

constexpr uint16_t kVersion = 45;                  // the first with zip64
constexpr uint16_t kUnix = 3 << 8 | kVersion;      // who made it
constexpr uint32_t kFirstDay = 1 << 21 | 1 << 16;  // 1980-01-01 00:00
constexpr uint32_t kMode = 0100644u << 16;

struct Fields {
  std::string bytes;

  template <std::unsigned_integral T>
  Fields& Put(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) {
      bytes += static_cast<char>(value >> (8 * i) & 0xff);
    }
    return *this;
  }
};

uint32_t Or64(uint64_t value) {
  return static_cast<uint32_t>(std::min<uint64_t>(value, zip::kSeeZip64));
}
uint16_t Or64Short(uint64_t value) {
  return static_cast<uint16_t>(std::min<uint64_t>(value, zip::kSeeZip64Short));
}

uint16_t Flags(std::string_view name) {
  const bool ascii =
      std::ranges::all_of(name, [](char c) { return (c & 0x80) == 0; });
  return ascii ? 0 : zip::kUtf8;
}

constexpr uint16_t kLocalExtra = 20;

std::string LocalHeader(const ZipMember& m) {
  Fields f;
  f.Put(zip::kLocal).Put(kVersion).Put(Flags(m.name)).Put(uint16_t{0});
  f.Put(kFirstDay).Put(m.crc).Put(zip::kSeeZip64).Put(zip::kSeeZip64);
  f.Put(static_cast<uint16_t>(m.name.size())).Put(kLocalExtra);
  f.bytes += m.name;
  f.Put(zip::kZip64Extra).Put(uint16_t{kLocalExtra - 4});
  f.Put(m.size).Put(m.size);
  return std::move(f.bytes);
}

std::string CentralRecord(const ZipMember& m) {
  Fields extra;
  if (m.size >= zip::kSeeZip64) extra.Put(m.size).Put(m.size);
  if (m.header >= zip::kSeeZip64) extra.Put(m.header);
  const auto length = static_cast<uint16_t>(extra.bytes.size());
  Fields f;
  f.Put(zip::kCentral).Put(kUnix).Put(kVersion).Put(Flags(m.name));
  f.Put(uint16_t{0}).Put(kFirstDay).Put(m.crc);
  f.Put(Or64(m.size)).Put(Or64(m.size));
  f.Put(static_cast<uint16_t>(m.name.size()));
  f.Put(static_cast<uint16_t>(length == 0 ? 0 : length + 4)).Put(uint16_t{0});
  f.Put(uint32_t{0}).Put(kMode).Put(Or64(m.header));
  f.bytes += m.name;
  if (length > 0) f.Put(zip::kZip64Extra).Put(length);
  return f.bytes + extra.bytes;
}

// The end record; before it the zip64 one and its locator where it must be.
std::string EndRecords(uint64_t count, uint64_t begin, uint64_t end) {
  const uint64_t size = end - begin;
  Fields f;
  if (count >= zip::kSeeZip64Short || begin >= zip::kSeeZip64 ||
      size >= zip::kSeeZip64) {
    f.Put(zip::kEnd64).Put(zip::kEnd64Bytes - 12).Put(kUnix).Put(kVersion);
    f.Put(uint64_t{0}).Put(count).Put(count).Put(size).Put(begin);
    f.Put(zip::kLocator64).Put(uint32_t{0}).Put(end).Put(uint32_t{1});
  }
  f.Put(zip::kEnd).Put(uint32_t{0});
  f.Put(Or64Short(count)).Put(Or64Short(count)).Put(Or64(size));
  f.Put(Or64(begin)).Put(uint16_t{0});
  return std::move(f.bytes);
}

}  // namespace

Status ZipWriter::Begin(std::string_view name) {
  std::string_view why = BadZipName(name, ZipNames::kKeys);
  if (name.size() >= zip::kSeeZip64Short) why = "has too long a name";
  if (!why.empty()) {
    return Unsupported("member '{}' {}", name, why).At(out_.path());
  }
  if (!names_.emplace(name).second) {
    return Unsupported("two members are named '{}'", name).At(out_.path());
  }
  members_.push_back({.name = std::string(name), .header = out_.size()});
  return out_.Append(LocalHeader(members_.back()));
}

Status ZipWriter::Append(std::string_view bytes) {
  if (bytes.empty()) return Done{};  // crc32 of a null pointer starts anew
  ZipMember& member = members_.back();
  member.size += bytes.size();
  member.crc = static_cast<uint32_t>(crc32_z(
      member.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  return out_.Append(bytes);
}

Status ZipWriter::End() {
  const ZipMember& member = members_.back();
  return out_.PatchAt(member.header, LocalHeader(member));
}

Status ZipWriter::Finish() {
  const uint64_t begin = out_.size();
  std::string bytes;
  for (const ZipMember& member : members_) bytes += CentralRecord(member);
  bytes += EndRecords(members_.size(), begin, begin + bytes.size());
  return out_.Append(bytes);
}

}  // namespace assay
