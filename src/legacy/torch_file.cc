#include "legacy/torch_file.h"

#include <algorithm>

#include "base/output_file.h"
#include "base/zip_writer.h"

namespace assay {
namespace {

struct TorchType {
  DType type;
  std::string_view storage;
  std::string_view untyped = "";  // torch's name, if no storage has it
};
constexpr TorchType kTypes[] = {{DType::kF64, "DoubleStorage"},
                                {DType::kF32, "FloatStorage"},
                                {DType::kF16, "HalfStorage"},
                                {DType::kI64, "LongStorage"},
                                {DType::kI32, "IntStorage"},
                                {DType::kI16, "ShortStorage"},
                                {DType::kI8, "CharStorage"},
                                {DType::kU8, "ByteStorage"},
                                {DType::kBool, "BoolStorage"},
                                {DType::kC64, "ComplexFloatStorage"},
                                {DType::kC128, "ComplexDoubleStorage"},
                                {DType::kU16, "", "uint16"},
                                {DType::kU32, "", "uint32"},
                                {DType::kU64, "", "uint64"}};

const TorchType* FindType(DType type) {
  const auto found = std::ranges::find(kTypes, type, &TorchType::type);
  return found == std::end(kTypes) ? nullptr : found;
}

// Opcodes of protocol 2, as few as the tensor needs.
class Pickle {
 public:
  Pickle() { text_ = "\x80\x02"; }

  Pickle& Global(std::string_view module, std::string_view name) {
    text_ += 'c';
    text_ += module;
    text_ += '\n';
    text_ += name;
    text_ += '\n';
    return *this;
  }
  Pickle& Text(std::string_view value) {
    text_ += 'X';
    Little(value.size(), 4);
    text_ += value;
    return *this;
  }
  // LONG1: any size in as many bytes as it takes, here always eight.
  Pickle& Number(uint64_t value) {
    text_ += '\x8a';
    Little(8, 1);
    Little(value, 8);
    return *this;
  }
  Pickle& Op(std::string_view codes) {
    text_ += codes;
    return *this;
  }
  Pickle& Numbers(const std::vector<int64_t>& values) {
    Op("(");
    for (const int64_t value : values) Number(static_cast<uint64_t>(value));
    return Op("t");
  }
  std::string Done() { return text_ + "."; }

 private:
  void Little(uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      text_ += static_cast<char>(value >> (8 * i));
    }
  }

  std::string text_;
};

std::vector<int64_t> RowMajorStrides(const Shape& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * std::max<int64_t>(1, shape[i]);
  }
  return strides;
}

// _rebuild_tensor_v2(storage, offset, shape, strides, requires_grad, hooks);
// v3 has the type behind them, and a storage of bytes.
std::string TensorPickle(const OldArray& array) {
  const TorchType& type = *FindType(array.dtype);
  const bool typed = type.untyped.empty();
  const uint64_t count = ElementCount(array.shape).value_or(0);
  Pickle pickle;
  pickle
      .Global("torch._utils",
              typed ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3")
      .Op("((")
      .Text("storage")
      .Global(typed ? "torch" : "torch.storage",
              typed ? type.storage : "UntypedStorage")
      .Text("0")
      .Text("cpu")
      .Number(typed ? count : array.bytes.size())
      .Op("tQ")
      .Number(0)
      .Numbers(array.shape)
      .Numbers(RowMajorStrides(array.shape))
      .Op("\x89")
      .Global("collections", "OrderedDict")
      .Op(")R");
  if (!typed) pickle.Global("torch", type.untyped);
  return pickle.Op("tR").Done();
}

Status AddMember(std::string_view name, std::string_view bytes,
                 ZipWriter& zip) {
  RETURN_IF_ERROR(zip.Begin(name));
  RETURN_IF_ERROR(zip.Append(bytes));
  return zip.End();
}

}  // namespace

bool TorchHolds(DType type) { return FindType(type) != nullptr; }

Status WriteTorchFile(const OldArray& array, const std::string& path) {
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(path));
  ZipWriter zip(out);
  RETURN_IF_ERROR(AddMember("archive/data.pkl", TensorPickle(array), zip));
  RETURN_IF_ERROR(AddMember("archive/data/0", array.bytes, zip));
  RETURN_IF_ERROR(AddMember("archive/version", "3\n", zip));
  RETURN_IF_ERROR(zip.Finish());
  return out.Commit();
}

}  // namespace assay
