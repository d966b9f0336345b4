#include "codecs/ascend_wire.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "codecs/codec.h"

namespace assay {
namespace {

constexpr uint64_t kPiece = 64 << 10;
constexpr uint64_t kLongestVarint = 10;

}  // namespace

Result<std::string_view> FileWindow::At(uint64_t offset, uint64_t length) {
  if (offset < at_ || offset + length > at_ + bytes_.size()) {
    const uint64_t wish =
        offset + length <= kHead ? kHead : offset + std::max(length, kPiece);
    const uint64_t end = std::min(wish, file_.size());
    ASSIGN_OR_RETURN(bytes_, file_.Text(offset, end - offset));
    at_ = offset;
  }
  return std::string_view(bytes_).substr(offset - at_, length);
}

std::string FieldName(std::span<const std::string_view> names,
                      uint64_t number) {
  if (number < names.size() && !names[number].empty()) {
    return std::string(names[number]);
  }
  return fmt::format("field {}", number);
}

bool IsWireTag(uint64_t tag) {
  const uint64_t type = tag & 7, number = tag >> 3;
  constexpr uint64_t kLast = (1 << 29) - 1;
  return (type <= 2 || type == 5) && number > 0 && number <= kLast;
}

Result<WireField> MessageReader::Next() {
  ASSIGN_OR_RETURN(const std::string_view bytes,
                   window_.At(at_, std::min(2 * kLongestVarint, end_ - at_)));
  const std::string& path = window_.file().path();
  ByteReader in(bytes, path, at_);
  const uint64_t tag = in.Varint("field tag");
  if (!in.ok()) return in.error();
  if (!IsWireTag(tag)) {
    return Corrupt("no protobuf field begins here").At(path, at_);
  }
  WireField field{.number = static_cast<uint32_t>(tag >> 3),
                  .type = static_cast<WireType>(tag & 7),
                  .at = at_};
  const std::string name = FieldName(names_, field.number);
  if (field.type == WireType::kVarint) field.value = in.Varint(name);
  if (field.type == WireType::kBytes) field.length = in.Varint(name);
  if (field.type == WireType::kFixed64) field.length = 8;
  if (field.type == WireType::kFixed32) field.length = 4;
  if (!in.ok()) return in.error();
  field.offset = in.offset();
  return Pass(field);
}

// The payload must be in this message; the next field begins after it.
Result<WireField> MessageReader::Pass(const WireField& field) {
  const uint64_t left = end_ - field.offset;
  if (field.length > left) {
    return Corrupt("{} needs {} bytes, {} left",
                   FieldName(names_, field.number), field.length, left)
        .At(window_.file().path(), field.offset)
        .Hint("the file is damaged or truncated; was the dump interrupted?");
  }
  at_ = field.offset + field.length;
  return field;
}

}  // namespace assay
