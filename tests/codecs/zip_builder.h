#pragma once

#include <zlib.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

inline std::string Deflated(std::string_view bytes) {
  std::string out(bytes.size() + 100, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// One member; what is not set is as it should be.
struct ZipEntry {
  std::string name, data;
  uint16_t flags = 0, method = 0;
  std::optional<uint64_t> size{}, compressed{}, header{};
  bool zip64 = false;        // sizes and offset in the extra field
  std::string local_name{};  // if different
};

// An archive, well-formed unless told otherwise.
class Zip {
 public:
  Zip& Add(ZipEntry entry) {
    return entries_.push_back(std::move(entry)), *this;
  }
  Zip& Add(std::string name, std::string data) {
    return Add({.name = std::move(name), .data = std::move(data)});
  }
  Zip& Deflate(std::string name, std::string_view data) {
    return Add({.name = std::move(name),
                .data = Deflated(data),
                .method = 8,
                .size = data.size()});
  }
  Zip& Count(uint16_t count) { return count_ = count, *this; }
  Zip& Disk(uint16_t disk) { return disk_ = disk, *this; }
  Zip& Zip64End() { return zip64_end_ = true, *this; }

  std::string Bytes() const {
    std::string out, directory;
    for (const ZipEntry& entry : entries_) {
      directory += Central(entry, out.size());
      out += Local(entry) + entry.data;
    }
    const uint64_t begin = out.size(), count = count_.value_or(entries_.size());
    out += directory;
    if (zip64_end_) out += End64(begin, directory.size(), count);
    const uint64_t full = zip64_end_ ? ~uint64_t{0} : 0;
    return out + Le<uint32_t>(0x06054b50) + Le<uint16_t>(disk_) +
           Le<uint16_t>(0) + Le<uint16_t>(count | full) +
           Le<uint16_t>(count | full) + Le<uint32_t>(directory.size() | full) +
           Le<uint32_t>(begin | full) + Le<uint16_t>(0);
  }
  operator std::string() const { return Bytes(); }

 private:
  template <std::unsigned_integral T>
  static std::string Le(uint64_t value) {
    std::string out;
    for (size_t i = 0; i < sizeof(T); ++i) {
      out += static_cast<char>(value >> (8 * i) & 0xff);
    }
    return out;
  }

  static std::string Local(const ZipEntry& e) {
    const std::string& name = e.local_name.empty() ? e.name : e.local_name;
    return Le<uint32_t>(0x04034b50) + Le<uint16_t>(20) + Le<uint16_t>(e.flags) +
           Le<uint16_t>(e.method) + std::string(16, '\0') +
           Le<uint16_t>(name.size()) + Le<uint16_t>(0) + name;
  }

  static std::string Central(const ZipEntry& e, uint64_t at) {
    const uint64_t size = e.size.value_or(e.data.size());
    const uint64_t compressed = e.compressed.value_or(e.data.size());
    const uint64_t header = e.header.value_or(at);
    const uint64_t full = e.zip64 ? ~uint64_t{0} : 0;
    const std::string extra =
        e.zip64 ? Le<uint16_t>(1) + Le<uint16_t>(24) + Le<uint64_t>(size) +
                      Le<uint64_t>(compressed) + Le<uint64_t>(header)
                : "";
    return Le<uint32_t>(0x02014b50) + Le<uint32_t>(20) + Le<uint16_t>(e.flags) +
           Le<uint16_t>(e.method) + std::string(8, '\0') +
           Le<uint32_t>(compressed | full) + Le<uint32_t>(size | full) +
           Le<uint16_t>(e.name.size()) + Le<uint16_t>(extra.size()) +
           std::string(10, '\0') + Le<uint32_t>(header | full) + e.name + extra;
  }

  static std::string End64(uint64_t begin, uint64_t size, uint64_t count) {
    return Le<uint32_t>(0x06064b50) + Le<uint64_t>(44) + Le<uint32_t>(0) +
           Le<uint64_t>(0) + Le<uint64_t>(count) + Le<uint64_t>(count) +
           Le<uint64_t>(size) + Le<uint64_t>(begin) + Le<uint32_t>(0x07064b50) +
           Le<uint32_t>(0) + Le<uint64_t>(begin + size) + Le<uint32_t>(1);
  }

  std::vector<ZipEntry> entries_;
  std::optional<uint16_t> count_;
  uint16_t disk_ = 0;
  bool zip64_end_ = false;
};

}  // namespace assay
