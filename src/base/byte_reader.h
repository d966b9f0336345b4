#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

// Reads little-endian fields from bytes in memory. It keeps the first error;
// later reads return zero, so a codec may check once at the end.
class ByteReader {
 public:
  // `file` and `base` only place errors: byte `base` of `file` is bytes[0].
  ByteReader(std::string_view bytes, std::string_view file, uint64_t base = 0)
      : bytes_(bytes), file_(file), base_(base) {}

  uint8_t U8(std::string_view field) { return Fixed<uint8_t>(field); }
  uint16_t U16(std::string_view field) { return Fixed<uint16_t>(field); }
  uint32_t U32(std::string_view field) { return Fixed<uint32_t>(field); }
  uint64_t U64(std::string_view field) { return Fixed<uint64_t>(field); }
  uint64_t Varint(std::string_view field);
  std::string_view Text(uint64_t length, std::string_view field);
  void Skip(uint64_t length, std::string_view field) { Text(length, field); }

  bool ok() const { return !error_; }
  Error error() const { return *error_; }
  uint64_t offset() const { return base_ + at_; }
  uint64_t left() const { return bytes_.size() - at_; }

 private:
  bool Need(uint64_t length, std::string_view field);

  template <typename T>
  T Fixed(std::string_view field) {
    if (!Need(sizeof(T), field)) return 0;
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) {
      value |= static_cast<T>(
          static_cast<T>(static_cast<uint8_t>(bytes_[at_ + i])) << (8 * i));
    }
    at_ += sizeof(T);
    return value;
  }

  std::string_view bytes_;
  std::string_view file_;
  uint64_t base_;
  size_t at_ = 0;
  std::optional<Error> error_;
};

}  // namespace assay
