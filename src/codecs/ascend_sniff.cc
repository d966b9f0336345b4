#include "codecs/ascend_sniff.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "codecs/ascend_name.h"
#include "codecs/ascend_wire.h"

namespace assay {
namespace {

constexpr uint64_t kLengthBytes = 8;
constexpr uint32_t kNanoMagic = 0x5a5a5a5a;
constexpr uint64_t kLastField = 9, kDumpTime = 2;

bool FitsDumpData(uint64_t tag) {
  const uint64_t number = tag >> 3;
  if (!IsWireTag(tag)) return false;
  if (number > kLastField) return true;  // of a newer version
  const auto wanted =
      number == kDumpTime ? WireType::kVarint : WireType::kBytes;
  return static_cast<WireType>(tag & 7) == wanted;
}

// The bytes of a field after its tag and length.
uint64_t PayloadLength(uint64_t tag, ByteReader& in) {
  switch (static_cast<WireType>(tag & 7)) {
    case WireType::kVarint:
      in.Varint("value");
      return 0;
    case WireType::kBytes:
      return in.Varint("length");
    case WireType::kFixed64:
      return 8;
    default:
      return 4;
  }
}

bool HasHeader(const Sniff& file) {
  if (file.head.size() <= kLengthBytes) return false;
  const uint64_t length = ByteReader(file.head, {}).U64("header length");
  return length <= file.size - kLengthBytes &&
         BeginsDumpData(file.head.substr(kLengthBytes), length);
}

// The oldest kind begins with its version, "1.0"; it has no length in front.
bool BeginsProtobuf(std::string_view head) {
  constexpr uint8_t kVersion = 1 << 3 | 2;  // the tag of its text
  constexpr uint8_t kLongest = 8;
  ByteReader in(head, {});
  const bool text = in.U8("tag") == kVersion;
  const uint8_t length = in.U8("length");
  if (!text || length == 0 || length > kLongest) return false;
  const std::string_view version = in.Text(length, "version");
  return in.ok() && version.find_first_not_of("0123456789.") == version.npos &&
         BeginsDumpData(head, UINT64_MAX);
}

}  // namespace

std::string_view BaseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool BeginsNano(std::string_view head) {
  ByteReader in(head, {});
  const uint64_t length = in.U64("header length");
  return in.U32("magic") == kNanoMagic && length <= UINT32_MAX;
}

bool BeginsDumpData(std::string_view bytes, uint64_t length) {
  const bool whole = bytes.size() >= length;
  ByteReader in(bytes.substr(0, std::min<uint64_t>(bytes.size(), length)), {});
  uint64_t first = 0;  // tag
  while (in.left() > 0) {
    const uint64_t tag = in.Varint("tag");
    if (!in.ok()) return !whole;
    if (!FitsDumpData(tag)) return false;
    const uint64_t payload = PayloadLength(tag, in);
    if (!in.ok()) return !whole;
    if (payload > length - in.offset()) return false;
    if (first == 0) {
      // No writer begins with an empty field: it would leave it out.
      const bool empty = payload == 0 && tag >> 3 != kDumpTime;
      if (tag >> 3 > kLastField || empty) return false;
      first = tag;
    }
    in.Skip(std::min(payload, in.left()), "payload");
  }
  return first != 0;
}

bool IsAscend(const Sniff& file) {
  if (file.head.starts_with("$Version=")) return false;  // of another dump tool
  return BeginsNano(file.head) || HasHeader(file) ||
         BeginsProtobuf(file.head) || IsAscendName(BaseName(file.path));
}

}  // namespace assay
