#include "codecs/onnx_proto.h"

#include <algorithm>
#include <iterator>

#include "base/byte_reader.h"

namespace assay::onnx {
namespace {

constexpr std::string_view kNames[] = {"",
                                       "dims",
                                       "data_type",
                                       "segment",
                                       "float_data",
                                       "int32_data",
                                       "string_data",
                                       "int64_data",
                                       "name",
                                       "raw_data",
                                       "double_data",
                                       "uint64_data",
                                       "doc_string",
                                       "external_data",
                                       "data_location",
                                       "",
                                       "metadata_props"};

// The wire type of one value; packed numbers are bytes.
constexpr WireType kTypes[] = {
    WireType::kBytes, WireType::kVarint,  WireType::kVarint,
    WireType::kBytes, WireType::kFixed32, WireType::kVarint,
    WireType::kBytes, WireType::kVarint,  WireType::kBytes,
    WireType::kBytes, WireType::kFixed64, WireType::kVarint,
    WireType::kBytes, WireType::kBytes,   WireType::kVarint,
    WireType::kBytes, WireType::kBytes};

constexpr uint64_t kMostDims = 64;
constexpr uint64_t kLongestName = 64 << 10;

// The type of a field must be that of TensorProto, packed or not.
Status CheckType(const WireField& field) {
  if (field.number >= std::size(kTypes) || kNames[field.number].empty()) {
    return NotTensor(fmt::format("it has a field {}", field.number));
  }
  if (field.type == kTypes[field.number]) return Done{};
  const bool packable =
      field.number == kDims || field.number == kFloatData ||
      field.number == kInt32Data || field.number == kInt64Data ||
      field.number == kDoubleData || field.number == kUint64Data;
  if (packable && field.type == WireType::kBytes) return Done{};
  if (field.number == kDataType) return WholeModel();
  return NotTensor(
      fmt::format("{} has the wrong wire type", kNames[field.number]));
}

Status AddDims(const InputFile& file, const WireField& field, Shape& dims) {
  if (field.type == WireType::kVarint) {
    dims.push_back(static_cast<int64_t>(field.value));
  } else if (field.length > 10 * kMostDims) {
    return NotTensor(fmt::format("dims takes {} bytes", field.length));
  } else {
    ASSIGN_OR_RETURN(const std::string bytes,
                     file.Text(field.offset, field.length));
    ByteReader in(bytes, file.path(), field.offset);
    while (in.ok() && in.left() > 0) {
      dims.push_back(static_cast<int64_t>(in.Varint("dims")));
    }
    if (!in.ok()) return in.error();
  }
  if (dims.size() <= kMostDims) return Done{};
  return NotTensor("it has more than 64 dims");
}

// One StringStringEntryProto: key 1, value 2. Wanted is the key "location".
Status AddExternal(const InputFile& file, const WireField& field,
                   Tensor& proto) {
  proto.external = true;
  if (field.length > kLongestName) return NotTensor("external_data is long");
  ASSIGN_OR_RETURN(const std::string bytes,
                   file.Text(field.offset, field.length));
  ByteReader in(bytes, file.path(), field.offset);
  std::string_view key, value;
  while (in.ok() && in.left() > 0) {
    const uint64_t tag = in.Varint("external_data");
    const auto text = in.Text(in.Varint("external_data"), "external_data");
    (tag >> 3 == 1 ? key : value) = text;
  }
  if (!in.ok()) return in.error();
  if (key == "location") proto.location = value;
  return Done{};
}

Status AddValues(const WireField& field, Tensor& proto) {
  const std::string_view name = kNames[field.number];
  if (field.type != WireType::kBytes) {
    return Unsupported("the values of {} are not packed", name)
        .Hint("save it with raw_data: onnx.numpy_helper.from_array");
  }
  if (proto.values) {
    return Unsupported("the values are in several parts, {} and {}",
                       kNames[proto.values->number], name)
        .Hint("save it with raw_data: onnx.numpy_helper.from_array");
  }
  proto.values = field;
  return Done{};
}

Status Add(const InputFile& file, const WireField& field, Tensor& proto) {
  RETURN_IF_ERROR(CheckType(field));
  switch (field.number) {
    case kDims:
      return AddDims(file, field, proto.dims);
    case kDataType:
      proto.data_type = field.value;
      return Done{};
    case kSegment:
      return Unsupported("this is a segment of a larger tensor");
    case kStringData:
      ++proto.strings;
      return Done{};
    case kName: {
      ASSIGN_OR_RETURN(
          proto.name,
          file.Text(field.offset, std::min(field.length, kLongestName)));
      return Done{};
    }
    case kExternalData:
      return AddExternal(file, field, proto);
    case kDataLocation:
      proto.external |= field.value == 1;
      return Done{};
    case kDocString:
    case kMetadata:
      return Done{};
    default:
      return AddValues(field, proto);
  }
}

}  // namespace

std::string_view FieldName(uint32_t number) { return kNames[number]; }

Error NotTensor(std::string_view why) {
  return Corrupt("not an ONNX tensor: {}", why)
      .Hint("a .pb file must hold one TensorProto; is it a TensorFlow graph?");
}
Error WholeModel() {
  return Unsupported("this is a whole model (ONNX or TensorFlow), not a tensor")
      .Hint("single tensors (TensorProto) are read, no models");
}

Result<Tensor> ReadTensor(const InputFile& file) {
  Tensor proto;
  for (WireReader in(file, kNames); !in.done();) {
    ASSIGN_OR_RETURN(const WireField field, in.Next());
    if (Status status = Add(file, field, proto); !status) {
      return std::move(status).error().At(file.path(), field.at);
    }
  }
  return proto;
}

}  // namespace assay::onnx
