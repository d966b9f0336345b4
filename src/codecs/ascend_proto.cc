// The header of an Ascend dump, protobuf message DumpData: 1 version,
// 2 dump_time, 3 output, 4 input, 5 buffer, 6 op_name, 7 attr, 8 space,
// 9 dfx_message. The messages inside are similar but count their fields
// differently; fields that are not named here are passed over.
#include "codecs/ascend_proto.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/byte_reader.h"
#include "base/utf8.h"

namespace assay {
namespace {

constexpr uint64_t kMostDims = 64;
constexpr uint64_t kLongestText = 64 << 20;

constexpr std::string_view kNames[] = {
    "",       "version", "dump_time", "output", "input",
    "buffer", "op_name", "attr",      "space",  "dfx_message"};
enum : uint32_t {
  kVersion = 1,
  kDumpTime = 2,
  kOutput = 3,
  kInput = 4,
  kBuffer = 5,
  kOpName = 6,
  kAttr = 7,
  kSpace = 8,
  kDfxMessage = 9,
};

// What the fields of each list's message are, by their number.
constexpr std::string_view kInputFields[] = {
    "",     "data_type",      "format",     "shape",  "data",
    "size", "original_shape", "sub_format", "address"};
constexpr std::string_view kOutputFields[] = {
    "",     "data_type", "format",         "shape",      "original_op",
    "data", "size",      "original_shape", "sub_format", "address"};
constexpr std::string_view kOtherFields[] = {"", "type", "data", "size"};
constexpr std::string_view kShapeFields[] = {"", "dim"};
constexpr std::string_view kAttrFields[] = {"", "name", "value"};

std::span<const std::string_view> FieldsOf(AscendList list) {
  if (list == AscendList::kInput) return kInputFields;
  if (list == AscendList::kOutput) return kOutputFields;
  return kOtherFields;
}

WireType TypeOf(uint32_t field) {
  return field == kDumpTime ? WireType::kVarint : WireType::kBytes;
}

class DumpDataReader {
 public:
  DumpDataReader(FileWindow& window, bool values_inside)
      : window_(window), values_inside_(values_inside) {}

  Status Read(uint64_t begin, uint64_t end) {
    for (MessageReader in(window_, begin, end, kNames); !in.done();) {
      ASSIGN_OR_RETURN(const WireField field, in.Next());
      RETURN_IF_ERROR(Add(field));
    }
    return Done{};
  }

  // Values stand in the order of the lists, whatever the header's order.
  AscendHeader Take() {
    for (std::vector<AscendTensor>& list : lists_) {
      for (AscendTensor& tensor : list) {
        header_.tensors.push_back(std::move(tensor));
      }
    }
    return std::move(header_);
  }

 private:
  Status Add(const WireField& field) {
    if (field.number >= std::size(kNames)) return Done{};
    RETURN_IF_ERROR(Expect(TypeOf(field.number), field, kNames));
    switch (field.number) {
      case kVersion:
        return SetText(field, kNames, header_.version);
      case kDumpTime:
        header_.dump_time = field.value;
        return Done{};
      case kOutput:
        return AddTensor(field, AscendList::kOutput);
      case kInput:
        return AddTensor(field, AscendList::kInput);
      case kBuffer:
        return AddTensor(field, AscendList::kBuffer);
      case kOpName:
        return SetText(field, kNames, header_.op_name);
      case kAttr:
        return AddAttr(field);
      case kSpace:
        return AddTensor(field, AscendList::kSpace);
      default:
        return SetText(field, kNames, header_.dfx_message);
    }
  }

  Status AddTensor(const WireField& field, AscendList list) {
    RETURN_IF_ERROR(CountOne(field));
    auto& tensors = lists_[static_cast<size_t>(list)];
    AscendTensor& tensor = tensors.emplace_back();
    tensor.list = list;
    tensor.index = static_cast<uint32_t>(tensors.size() - 1);
    Status status = Fill(field, FieldsOf(list), tensor);
    if (!status) return std::move(status).error().Of(NameOf(tensor));
    return Done{};
  }

  Status Fill(const WireField& message, std::span<const std::string_view> names,
              AscendTensor& tensor) {
    const uint64_t end = message.offset + message.length;
    for (MessageReader in(window_, message.offset, end, names); !in.done();) {
      ASSIGN_OR_RETURN(const WireField field, in.Next());
      RETURN_IF_ERROR(SetField(field, names, tensor));
    }
    return Done{};
  }

  Status SetField(const WireField& field,
                  std::span<const std::string_view> names,
                  AscendTensor& tensor) {
    if (field.number >= names.size()) return Done{};
    const std::string_view name = names[field.number];
    if (name == "shape" || name == "original_shape") {
      RETURN_IF_ERROR(Expect(WireType::kBytes, field, names));
      return AddDims(field, name == "shape" ? tensor.shape : tensor.original);
    }
    if (name == "data") return SetData(field, names, tensor);
    if (name == "original_op" || name == "type") return Done{};
    if (name == "address") {  // told, never needed
      if (field.type == WireType::kVarint) tensor.address = field.value;
      return Done{};
    }
    RETURN_IF_ERROR(Expect(WireType::kVarint, field, names));
    if (name == "data_type") tensor.data_type = Number(field);
    if (name == "format") tensor.format = Number(field);
    if (name == "sub_format") tensor.sub_format = Number(field);
    if (name == "size" && !values_inside_) tensor.size = field.value;
    return Done{};
  }

  Status SetData(const WireField& field,
                 std::span<const std::string_view> names,
                 AscendTensor& tensor) {
    RETURN_IF_ERROR(Expect(WireType::kBytes, field, names));
    if (!values_inside_) return Done{};
    tensor.offset = field.offset;
    tensor.size = field.length;
    return Done{};
  }

  static int32_t Number(const WireField& field) {
    return static_cast<int32_t>(field.value);
  }

  // Packed or one by one.
  Status AddDims(const WireField& shape, Shape& dims) {
    const uint64_t end = shape.offset + shape.length;
    for (MessageReader in(window_, shape.offset, end, kShapeFields);
         !in.done();) {
      ASSIGN_OR_RETURN(const WireField field, in.Next());
      if (field.number != 1) continue;
      if (field.type == WireType::kVarint) {
        dims.push_back(static_cast<int64_t>(field.value));
      } else {
        RETURN_IF_ERROR(Expect(WireType::kBytes, field, kShapeFields));
        RETURN_IF_ERROR(AddPacked(field, dims));
      }
      if (dims.size() > kMostDims) return TooManyDims(field);
    }
    return Done{};
  }

  Status AddPacked(const WireField& field, Shape& dims) {
    if (field.length > 10 * kMostDims) return TooManyDims(field);
    ASSIGN_OR_RETURN(const std::string_view bytes,
                     window_.At(field.offset, field.length));
    ByteReader in(bytes, path(), field.offset);
    while (in.ok() && in.left() > 0) {
      dims.push_back(static_cast<int64_t>(in.Varint("dim")));
    }
    return in.ok() ? Status(Done{}) : in.error();
  }

  Status AddAttr(const WireField& attr) {
    RETURN_IF_ERROR(CountOne(attr));
    auto& [name, value] = header_.attrs.emplace_back();
    const uint64_t end = attr.offset + attr.length;
    for (MessageReader in(window_, attr.offset, end, kAttrFields);
         !in.done();) {
      ASSIGN_OR_RETURN(const WireField field, in.Next());
      if (field.number >= std::size(kAttrFields)) continue;
      RETURN_IF_ERROR(Expect(WireType::kBytes, field, kAttrFields));
      RETURN_IF_ERROR(
          SetText(field, kAttrFields, field.number == 1 ? name : value));
    }
    return Done{};
  }

  Status SetText(const WireField& field,
                 std::span<const std::string_view> names, std::string& text) {
    if (field.length > kLongestText) {
      return Damaged(field, fmt::format("{} takes {} bytes",
                                        names[field.number], field.length));
    }
    ASSIGN_OR_RETURN(text, window_.file().Text(field.offset, field.length));
    if (ValidUtf8(text) == text) return Done{};
    return Damaged(field, fmt::format("{} is not UTF-8", names[field.number]));
  }

  Status Expect(WireType type, const WireField& field,
                std::span<const std::string_view> names) {
    if (field.type == type) return Done{};
    return Damaged(field, fmt::format("{} has the wrong wire type",
                                      FieldName(names, field.number)));
  }

  Status CountOne(const WireField& field) {
    if (++count_ <= kMostAscendTensors) return Done{};
    return Damaged(field, fmt::format("the header has more than {} tensors",
                                      kMostAscendTensors));
  }

  Error TooManyDims(const WireField& field) {
    return Damaged(field,
                   fmt::format("a shape has more than {} dims", kMostDims));
  }

  Error Damaged(const WireField& field, std::string_view what) {
    return Corrupt("{}", what)
        .At(path(), field.at)
        .Hint("the header is damaged; dump it again");
  }

  const std::string& path() const { return window_.file().path(); }

  FileWindow& window_;
  bool values_inside_;
  size_t count_ = 0;
  AscendHeader header_;
  std::array<std::vector<AscendTensor>, 4> lists_;
};

}  // namespace

Result<AscendHeader> ReadDumpData(FileWindow& window,
                                  const DumpDataPart& part) {
  DumpDataReader reader(window, part.values_inside);
  RETURN_IF_ERROR(reader.Read(part.begin, part.end));
  return reader.Take();
}

}  // namespace assay
