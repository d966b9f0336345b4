#include "base/byte_reader.h"

namespace assay {

bool ByteReader::Need(uint64_t length, std::string_view field) {
  if (error_) return false;
  if (length <= left()) return true;
  error_ = Corrupt("{} needs {} bytes, {} left", field, length, left())
               .At(file_, offset())
               .Hint("the file looks truncated; was the dump interrupted?");
  return false;
}

uint64_t ByteReader::Varint(std::string_view field) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint64_t byte = U8(field);
    if (error_) return 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  error_ = Corrupt("{} is a number of more than 10 bytes", field)
               .At(file_, offset());
  return 0;
}

std::string_view ByteReader::Text(uint64_t length, std::string_view field) {
  if (!Need(length, field)) return {};
  const std::string_view text = bytes_.substr(at_, length);
  at_ += length;
  return text;
}

}  // namespace assay
