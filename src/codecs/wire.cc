#include "codecs/wire.h"

#include <algorithm>

#include "base/byte_reader.h"

namespace assay {
namespace {

constexpr uint64_t kWindow = 4096;
constexpr uint64_t kLongestVarint = 10;
constexpr uint64_t kPiece = 64 << 10;

bool Known(uint64_t type) { return type <= 2 || type == 5; }

}  // namespace

std::string WireReader::Name(uint64_t number) const {
  if (number < names_.size() && !names_[number].empty()) {
    return std::string(names_[number]);
  }
  return fmt::format("field {}", number);
}

// Has the tag and the length or value at `at_` in the window.
Status WireReader::Fill() {
  const uint64_t want = std::min(2 * kLongestVarint, end_ - at_);
  const uint64_t end = window_at_ + window_.size();
  if (at_ >= window_at_ && at_ + want <= end) return Done{};
  ASSIGN_OR_RETURN(window_, file_.Text(at_, std::min(kWindow, end_ - at_)));
  window_at_ = at_;
  return Done{};
}

Result<WireField> WireReader::Next() {
  RETURN_IF_ERROR(Fill());
  const auto rest = std::string_view(window_).substr(at_ - window_at_);
  ByteReader in(rest, file_.path(), at_);
  const uint64_t tag = in.Varint("field tag"), number = tag >> 3;
  if (in.ok() && (!Known(tag & 7) || number == 0 || number > UINT32_MAX)) {
    return Corrupt("no protobuf field begins here").At(file_.path(), at_);
  }
  WireField field{.number = static_cast<uint32_t>(number),
                  .type = static_cast<WireType>(tag & 7),
                  .at = at_};
  if (field.type == WireType::kVarint) field.value = in.Varint(Name(number));
  if (field.type == WireType::kBytes) field.length = in.Varint(Name(number));
  if (field.type == WireType::kFixed64) field.length = 8;
  if (field.type == WireType::kFixed32) field.length = 4;
  if (!in.ok()) return in.error();
  field.offset = in.offset();
  return Pass(field);
}

// The payload must be there; the next field begins after it.
Result<WireField> WireReader::Pass(const WireField& field) {
  const uint64_t left = end_ - field.offset;
  if (field.length > left) {
    return Corrupt("{} needs {} bytes, {} left", Name(field.number),
                   field.length, left)
        .At(file_.path(), field.offset)
        .Hint("the file looks truncated; was the dump interrupted?");
  }
  at_ = field.offset + field.length;
  return field;
}

Result<uint64_t> CountVarints(const InputFile& file, uint64_t offset,
                              uint64_t length) {
  uint64_t count = 0, run = 0;  // run: bytes of a number not yet ended
  for (uint64_t at = offset; at < offset + length; at += kPiece) {
    ASSIGN_OR_RETURN(const std::string piece,
                     file.Text(at, std::min(kPiece, offset + length - at)));
    for (const char byte : piece) {
      const bool last = (byte & 0x80) == 0;
      if (++run > kLongestVarint) break;
      if (last) ++count, run = 0;
    }
    if (run > kLongestVarint) break;
  }
  if (run == 0) return count;
  return Corrupt("value {} has no end", count).At(file.path(), offset);
}

}  // namespace assay
