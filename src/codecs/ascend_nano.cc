// The header of a nano dump; all numbers little-endian.
//   u32 magic, u32 version, then tag 4: inputs, tag 5: outputs
//   a tag: u32 tag, u32 length, as many bytes
//   inputs: u32 count, then for each
//     i32 data_type, format, address_type, u64 address, offset, size,
//     u32 bytes of tags: 0 dims, 1 original dims (u64 each)
//   outputs: the same, with i32 original_index, original_data_type,
//     original_format before the address, and tag 2: original name
#include "codecs/ascend_nano.h"

#include <optional>

#include "base/byte_reader.h"
#include "codecs/ascend_type.h"

namespace assay {
namespace {

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kLongestHeader = 64 << 20;
constexpr uint64_t kMostDims = 64;
constexpr uint32_t kDims = 0, kOriginalDims = 1, kInputs = 4, kOutputs = 5;

// The bytes of the next tag if it is the wanted one; else it stays unread.
std::optional<ByteReader> Enter(ByteReader& in, uint32_t wanted,
                                std::string_view path) {
  ByteReader ahead = in;
  if (ahead.left() < 2 * sizeof(uint32_t)) return std::nullopt;
  if (ahead.U32("tag") != wanted) return std::nullopt;
  in = ahead;
  const uint32_t length = in.U32("tag length");
  const uint64_t at = in.offset();
  return ByteReader(in.Text(length, "tag"), path, at);
}

Result<Shape> ReadDims(ByteReader& in, std::string_view path) {
  Shape dims;
  if (in.left() > kMostDims * sizeof(uint64_t)) {
    return Corrupt("a shape has more than {} dims", kMostDims)
        .At(path, in.offset());
  }
  while (in.ok() && in.left() > 0) {
    dims.push_back(static_cast<int64_t>(in.U64("dims")));
  }
  if (!in.ok()) return in.error();
  return dims;
}

// The dims of a tag, if it comes next.
Result<std::optional<Shape>> TakeDims(ByteReader& in, uint32_t tag,
                                      std::string_view path) {
  auto found = Enter(in, tag, path);
  if (!found) return std::optional<Shape>();
  ASSIGN_OR_RETURN(Shape dims, ReadDims(*found, path));
  return std::optional<Shape>(std::move(dims));
}

// Without dims, the block is one row of values.
Shape Flat(const AscendTensor& tensor) {
  const AscendType* type = FindAscendType(tensor.data_type);
  const uint64_t bits = type == nullptr ? 0 : Info(type->dtype).bits;
  if (bits == 0) return {};
  return {static_cast<int64_t>(bits >= 8 ? tensor.size / (bits / 8)
                                         : tensor.size * (8 / bits))};
}

Result<AscendTensor> ReadRecord(ByteReader& in, AscendList list,
                                std::string_view path) {
  AscendTensor tensor{.list = list};
  const auto number = [&](std::string_view name) {
    return static_cast<int32_t>(in.U32(name));
  };
  tensor.data_type = AscendNumberOfGe(number("data_type"));
  const int32_t format = number("format");
  tensor.format = format & 0xff;
  tensor.sub_format = format >> 8 & 0xffff;
  in.Skip(list == AscendList::kOutput ? 16 : 4, "address_type");
  in.Skip(16, "address");
  tensor.size = in.U64("size");
  const uint32_t length = in.U32("length of tags");
  const uint64_t at = in.offset();
  ByteReader tags(in.Text(length, "tags"), path, at);
  if (!in.ok()) return in.error();
  ASSIGN_OR_RETURN(auto dims, TakeDims(tags, kDims, path));
  ASSIGN_OR_RETURN(auto original, TakeDims(tags, kOriginalDims, path));
  if (!tags.ok()) return tags.error();
  tensor.shape = dims ? *std::move(dims) : Flat(tensor);
  if (original) tensor.original = *std::move(original);
  return tensor;
}

Status AddRecords(ByteReader in, AscendList list, std::string_view path,
                  AscendHeader& header) {
  const uint32_t count = in.U32("number of tensors");
  if (!in.ok()) return in.error();
  if (count > kMostAscendTensors) {
    return Corrupt("the header has {} tensors", count).At(path, in.offset());
  }
  for (uint32_t i = 0; i < count; ++i) {
    auto tensor = ReadRecord(in, list, path);
    if (!tensor) {
      return std::move(tensor).error().Of(NameOf({.list = list, .index = i}));
    }
    tensor->index = i;
    header.tensors.push_back(*std::move(tensor));
  }
  return Done{};
}

}  // namespace

Result<AscendHeader> ReadNanoHeader(const InputFile& file, uint64_t length) {
  if (length > kLongestHeader) {
    return Corrupt("the header claims {} bytes", length).At(file.path(), 0);
  }
  ASSIGN_OR_RETURN(const std::string bytes, file.Text(kLengthBytes, length));
  ByteReader in(bytes, file.path(), kLengthBytes);
  AscendHeader header{.kind = AscendKind::kNano};
  in.U32("magic");
  header.version = fmt::format("{}", in.U32("version"));
  if (!in.ok()) return in.error();
  for (const auto& [tag, list] : {std::pair(kInputs, AscendList::kInput),
                                  std::pair(kOutputs, AscendList::kOutput)}) {
    const auto records = Enter(in, tag, file.path());
    if (!in.ok()) return in.error();
    if (records) {
      RETURN_IF_ERROR(AddRecords(*records, list, file.path(), header));
    }
  }
  return header;
}

}  // namespace assay
