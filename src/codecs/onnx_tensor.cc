// ONNX TensorProto (.pb), as in the test data of ONNX models. Only the fields
// of this one small message are walked over; values are read by extent.
#include <optional>

#include "codecs/codec.h"
#include "codecs/onnx_proto.h"
#include "codecs/onnx_type.h"

namespace assay {
namespace {

bool IsOnnxTensor(const Sniff& file) { return file.path.ends_with(".pb"); }

Result<const OnnxType*> FindType(const onnx::Tensor& proto) {
  if (!proto.data_type) {
    const bool graph = proto.values && proto.values->number == onnx::kInt64Data;
    return graph ? onnx::WholeModel() : onnx::NotTensor("it has no data_type");
  }
  const OnnxType* type = FindOnnxType(*proto.data_type);
  if (type == nullptr) {
    return Corrupt("data_type {} is not one of ONNX", *proto.data_type);
  }
  if (!type->dtype) return Unsupported("values of type {}", type->name);
  return type;
}

Error WrongCount(const StoredTensor& tensor, uint64_t wanted, uint64_t got,
                 std::string_view unit) {
  return Corrupt("dims {} need {} {}, {} there", ToText(tensor.shape), wanted,
                 unit, got)
      .Hint("the file looks truncated; was the dump interrupted?");
}

// Numbers in int32_data, int64_data and uint64_data have variable lengths:
// only counting tells whether they are all there.
Status SetVarints(const InputFile& file, uint64_t count, StoredTensor& tensor) {
  if (tensor.dtype == DType::kI4) {
    return Unsupported("values of type int4 in int32_data")
        .Hint("save it with raw_data: onnx.numpy_helper.from_array");
  }
  tensor.extent.encoding = Encoding::kVarint;
  ASSIGN_OR_RETURN(const uint64_t got, CountVarints(file, tensor.extent.offset,
                                                    tensor.extent.length));
  if (got == count) return Done{};
  return WrongCount(tensor, count, got, "values");
}

bool IsVarint(uint32_t field) {
  return field == onnx::kInt32Data || field == onnx::kInt64Data ||
         field == onnx::kUint64Data;
}

Status SetValues(const InputFile& file, const onnx::Tensor& proto,
                 const OnnxType& type, StoredTensor& tensor) {
  const auto count = ElementCount(tensor.shape);
  const auto bytes = count ? ByteCount(tensor.dtype, *count) : std::nullopt;
  if (!bytes) return Corrupt("dims {} are impossible", ToText(tensor.shape));
  if (type.field == onnx::kStringData) {
    tensor.extent.length = file.size();
    if (proto.strings == *count) return Done{};
    return WrongCount(tensor, *count, proto.strings, "strings");
  }
  if (proto.values) {
    tensor.extent = {.offset = proto.values->offset,
                     .length = proto.values->length};
    const uint32_t field = proto.values->number;
    if (field != onnx::kRawData && field != type.field) {
      return Corrupt("values of type {} in {}", type.name,
                     onnx::FieldName(field));
    }
    if (field != onnx::kRawData && IsVarint(field)) {
      return SetVarints(file, *count, tensor);
    }
  }
  if (tensor.extent.length == *bytes) return Done{};
  return WrongCount(tensor, *bytes, tensor.extent.length, "bytes");
}

Result<StoredTensor> Build(const InputFile& file, onnx::Tensor& proto) {
  ASSIGN_OR_RETURN(const OnnxType* type, FindType(proto));
  if (proto.external) {
    return Unsupported("the values are in another file, '{}'", proto.location)
        .Hint("load and save the tensor with its values inside");
  }
  StoredTensor tensor{.name = proto.name,
                      .dtype = *type->dtype,
                      .shape = std::move(proto.dims)};
  RETURN_IF_ERROR(SetValues(file, proto, *type, tensor));
  return tensor;
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints&) {
  ASSIGN_OR_RETURN(onnx::Tensor proto, onnx::ReadTensor(file));
  auto tensor = Build(file, proto);
  if (tensor) return std::vector<StoredTensor>{*std::move(tensor)};
  return std::move(tensor).error().At(file.path()).Of(proto.name);
}

}  // namespace

extern constinit const Codec kOnnxTensor = {
    .name = "onnx",
    .summary = "ONNX tensor (TensorProto), one per file",
    .extensions = ".pb",
    .sniff = IsOnnxTensor,
    .list = List,
    .write = nullptr,
};

}  // namespace assay
