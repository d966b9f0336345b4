// A tensor that TensorFlow's debugger dumped: one Event message per file,
// without the framing of event files.
//   Event     1 wall_time  5 summary
//   Summary   1 value { 1 tag  7 node_name  8 tensor  9 metadata }
//   Tensor    1 dtype  2 shape { 2 dim { 1 size } }  4 tensor_content
// node_name is "scope/node:0:DebugIdentity". Text has 8 string_val, and a
// resource or an uninitialised variable no values at all.
#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "codecs/codec.h"
#include "codecs/wire.h"

namespace assay {
namespace {

struct TfType {
  uint64_t number;
  std::string_view name;
  std::optional<DType> dtype;  // nothing: understood, not handled
};

constexpr TfType kTfTypes[] = {
    {1, "float", DType::kF32},
    {2, "double", DType::kF64},
    {3, "int32", DType::kI32},
    {4, "uint8", DType::kU8},
    {5, "int16", DType::kI16},
    {6, "int8", DType::kI8},
    {7, "string", DType::kOpaque},
    {8, "complex64", DType::kC64},
    {9, "int64", DType::kI64},
    {10, "bool", DType::kBool},
    {11, "qint8", DType::kI8},
    {12, "quint8", DType::kU8},
    {13, "qint32", DType::kI32},
    {14, "bfloat16", DType::kBF16},
    {15, "qint16", DType::kI16},
    {16, "quint16", DType::kU16},
    {17, "uint16", DType::kU16},
    {18, "complex128", DType::kC128},
    {19, "half", DType::kF16},
    {20, "resource", DType::kOpaque},
    {21, "variant", DType::kOpaque},
    {22, "uint32", DType::kU32},
    {23, "uint64", DType::kU64},
    {24, "float8_e5m2", DType::kF8E5M2},
    {25, "float8_e4m3fn", DType::kF8E4M3},
    {29, "int4", std::nullopt},
    {30, "uint4", std::nullopt},
};

constexpr std::string_view kEventNames[] = {"", "wall_time", "step",
                                            "", "",          "summary"};
constexpr std::string_view kSummaryNames[] = {"", "value"};
constexpr std::string_view kValueNames[] = {
    "", "tag", "", "", "", "", "", "node_name", "tensor", "metadata"};
constexpr std::string_view kTensorNames[] = {
    "", "dtype", "tensor_shape", "version_number", "tensor_content", "",
    "", "",      "string_val"};
constexpr std::string_view kShapeNames[] = {"", "", "dim", "unknown_rank"};
constexpr std::string_view kDimNames[] = {"", "size", "name"};

constexpr uint64_t kLongestName = 64 << 10;
constexpr size_t kMostDims = 64;

// Events begin with a time; that of a tensor names the debugger's operator.
bool IsTfdbg(const Sniff& file) {
  if (file.path.find("_DebugIdentity_") != std::string_view::npos) return true;
  return file.head.size() > 9 && file.head[0] == '\x09' &&
         file.head[9] == '\x2a' &&
         file.head.find(":Debug") != std::string_view::npos;
}

struct Proto {
  std::string node_name;
  bool has_tensor = false;
  std::optional<uint64_t> dtype;
  Shape shape;
  std::optional<WireField> content;
  bool other_values = false;  // text, or numbers field by field
};

// Walks over the fields of a message; the last of a kind counts.
template <typename Use>
Status EachIn(WireReader in, const Use& use) {
  while (!in.done()) {
    ASSIGN_OR_RETURN(const WireField field, in.Next());
    RETURN_IF_ERROR(use(field));
  }
  return Done{};
}

Error WrongType(const InputFile& file, const WireField& field,
                std::string_view name) {
  return Corrupt("{} has the wrong wire type", name)
      .At(file.path(), field.at)
      .Hint("is it a file of TensorFlow's debugger?");
}

Status NeedBytes(const InputFile& file, const WireField& field,
                 std::string_view name) {
  if (field.type == WireType::kBytes) return Done{};
  return WrongType(file, field, name);
}

Status ReadDim(const InputFile& file, const WireField& dim, Shape& shape) {
  RETURN_IF_ERROR(NeedBytes(file, dim, "dim"));
  int64_t size = 0;
  RETURN_IF_ERROR(
      EachIn(WireReader(file, kDimNames, dim), [&](const WireField& f) {
        if (f.number == 1 && f.type == WireType::kVarint) {
          size = static_cast<int64_t>(f.value);
        }
        return Status(Done{});
      }));
  shape.push_back(size);
  if (shape.size() <= kMostDims) return Done{};
  return Corrupt("more than {} dims", kMostDims).At(file.path(), dim.at);
}

Status ReadShape(const InputFile& file, const WireField& shape, Proto& out) {
  RETURN_IF_ERROR(NeedBytes(file, shape, "tensor_shape"));
  return EachIn(WireReader(file, kShapeNames, shape),
                [&](const WireField& f) -> Status {
                  if (f.number != 2) return Done{};
                  return ReadDim(file, f, out.shape);
                });
}

Status ReadTensor(const InputFile& file, const WireField& tensor, Proto& out) {
  RETURN_IF_ERROR(NeedBytes(file, tensor, "tensor"));
  out.has_tensor = true;
  return EachIn(WireReader(file, kTensorNames, tensor),
                [&](const WireField& f) -> Status {
                  if (f.number == 1) out.dtype = f.value;
                  if (f.number == 2) return ReadShape(file, f, out);
                  if (f.number == 4) {
                    RETURN_IF_ERROR(NeedBytes(file, f, "tensor_content"));
                    out.content = f;
                  }
                  out.other_values |= f.number > 4;
                  return Done{};
                });
}

Status ReadValue(const InputFile& file, const WireField& value, Proto& out) {
  RETURN_IF_ERROR(NeedBytes(file, value, "value"));
  return EachIn(
      WireReader(file, kValueNames, value), [&](const WireField& f) -> Status {
        if (f.number == 8) return ReadTensor(file, f, out);
        if (f.number != 7) return Done{};
        RETURN_IF_ERROR(NeedBytes(file, f, "node_name"));
        ASSIGN_OR_RETURN(out.node_name,
                         file.Text(f.offset, std::min(f.length, kLongestName)));
        return Done{};
      });
}

Status ReadSummary(const InputFile& file, const WireField& summary,
                   Proto& out) {
  RETURN_IF_ERROR(NeedBytes(file, summary, "summary"));
  return EachIn(WireReader(file, kSummaryNames, summary),
                [&](const WireField& f) -> Status {
                  if (f.number != 1) return Done{};
                  return ReadValue(file, f, out);
                });
}

Result<Proto> ReadEvent(const InputFile& file) {
  Proto proto;
  Status read =
      EachIn(WireReader(file, kEventNames), [&](const WireField& f) -> Status {
        if (f.number != 5) return Done{};
        return ReadSummary(file, f, proto);
      });
  if (!read) return std::move(read).error();
  return proto;
}

Result<DType> TypeOf(const Proto& proto) {
  const uint64_t number = proto.dtype.value_or(0);
  const auto* type = std::ranges::find(kTfTypes, number, &TfType::number);
  if (type == std::end(kTfTypes)) {
    return Unsupported("dtype {} of TensorFlow", number);
  }
  if (!type->dtype) return Unsupported("values of type {}", type->name);
  return *type->dtype;
}

Status SetValues(const InputFile& file, const Proto& proto,
                 StoredTensor& tensor) {
  const auto count = ElementCount(tensor.shape);
  const auto bytes = count ? ByteCount(tensor.dtype, *count) : std::nullopt;
  if (!bytes) return Corrupt("dims {} are impossible", ToText(tensor.shape));
  if (tensor.dtype == DType::kOpaque) {
    tensor.extent.length = file.size();
    return Done{};
  }
  if (proto.other_values) {
    return Unsupported("the values are not in tensor_content");
  }
  if (proto.content) {
    tensor.extent = {.offset = proto.content->offset,
                     .length = proto.content->length};
  }
  if (tensor.extent.length == *bytes) return Done{};
  if (!proto.content) {
    return Unsupported("it has no values")
        .Hint("the tensor was not initialised when it was dumped");
  }
  return Corrupt("dims {} need {} bytes, {} there", ToText(tensor.shape),
                 *bytes, tensor.extent.length)
      .Hint("the file looks truncated; was the dump interrupted?");
}

Result<StoredTensor> Build(const InputFile& file, const Proto& proto) {
  if (!proto.has_tensor) return Corrupt("an event without a tensor");
  ASSIGN_OR_RETURN(const DType dtype, TypeOf(proto));
  StoredTensor tensor{
      .name = proto.node_name, .dtype = dtype, .shape = proto.shape};
  // "scope/node:0": which operation of the debugger saw it says nothing.
  tensor.name.resize(std::min(tensor.name.rfind(":Debug"), tensor.name.size()));
  RETURN_IF_ERROR(SetValues(file, proto, tensor));
  return tensor;
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints&) {
  ASSIGN_OR_RETURN(const Proto proto, ReadEvent(file));
  auto tensor = Build(file, proto);
  if (tensor) return std::vector<StoredTensor>{*std::move(tensor)};
  return std::move(tensor).error().At(file.path()).Of(proto.node_name);
}

}  // namespace

extern constinit const Codec kTfdbg = {
    .name = "tfdbg",
    .summary = "tensor dumped by TensorFlow's debugger, one per file",
    .extensions = "",
    .sniff = IsTfdbg,
    .list = List,
    .write = nullptr,
};

}  // namespace assay
