// NumPy archive (.npz): a zip archive whose members NAME.npy are arrays, stored
// or deflated. Other members are listed and never compared.
#include "base/zip.h"
#include "base/zip_writer.h"
#include "codecs/codec.h"
#include "codecs/npy_header.h"
#include "codecs/npy_type.h"

namespace assay {
namespace {

constexpr std::string_view kSuffix = ".npy";

// Other archives begin with PK too: what counts is the first member's name.
bool IsNpz(const Sniff& file) {
  if (file.path.ends_with(".npz")) return true;
  constexpr size_t kLength = 26, kName = 30;
  if (!file.head.starts_with("PK\3\4") || file.head.size() < kName) {
    return false;
  }
  const size_t length = static_cast<uint8_t>(file.head[kLength]) |
                        static_cast<uint8_t>(file.head[kLength + 1]) << 8;
  return file.head.substr(kName, length).ends_with(kSuffix);
}

StoredTensor Opaque(const ZipMember& member) {
  const bool raw = member.method == ZipMethod::kStored;
  return {.name = member.name,
          .dtype = DType::kOpaque,
          .extent = {.offset = member.data,
                     .length = member.compressed,
                     .encoding = raw ? Encoding::kRaw : Encoding::kDeflate,
                     .crc = raw ? 0 : member.crc}};
}

// The header is part of the deflate stream: decoded here, skipped by readers.
Result<StoredTensor> ListDeflated(const InputFile& file,
                                  const ZipMember& member,
                                  const CodecHints& hints) {
  ASSIGN_OR_RETURN(std::string head, ReadZipHead(file, member, kNpyFirst));
  if (const uint64_t length = NpyHeaderLength(head); length > head.size()) {
    ASSIGN_OR_RETURN(head, ReadZipHead(file, member, length));
  }
  auto tensor = ParseNpy(head, member.size, file.path(), 0, hints);
  if (!tensor) {  // bytes of the decoded member have no place in the file
    return std::move(tensor).error().At(file.path(), member.data);
  }
  tensor->extent = {.offset = member.data,
                    .length = member.compressed,
                    .encoding = Encoding::kDeflate,
                    .crc = member.crc,
                    .skip = tensor->extent.offset};
  return tensor;
}

Result<StoredTensor> ListMember(const InputFile& file, const ZipMember& member,
                                const CodecHints& hints) {
  if (!member.name.ends_with(kSuffix)) return Opaque(member);
  const std::string name =
      member.name.substr(0, member.name.size() - kSuffix.size());
  auto tensor = member.method == ZipMethod::kStored
                    ? ReadNpyHeader(file, member.data,
                                    member.data + member.compressed, hints)
                    : ListDeflated(file, member, hints);
  if (!tensor) return std::move(tensor).error().Of(name);
  tensor->name = name;
  return tensor;
}

// A single array under the wrong suffix is the likeliest mistake.
Error Explained(const InputFile& file, Error error) {
  const auto head = file.Head(kNpyMagic.size());
  if (!head || *head != kNpyMagic) return error;
  return Corrupt("this is one array, not an archive")
      .At(file.path(), 0)
      .Hint("should it be named .npy?");
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints& hints) {
  // NumPy writes keys as they are, and ONNX names often begin with '/'.
  const auto members = ListZip(file, ZipNames::kKeys);
  if (!members) return Explained(file, members.error());
  std::vector<StoredTensor> tensors;
  for (const ZipMember& member : *members) {
    if (member.name.ends_with('/')) continue;  // a folder holds no bytes
    ASSIGN_OR_RETURN(StoredTensor tensor, ListMember(file, member, hints));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Status Write(std::span<TensorToWrite> tensors, OutputFile& out) {
  ZipWriter zip(out);
  for (size_t i = 0; i < tensors.size(); ++i) {
    TensorToWrite& tensor = tensors[i];
    if (tensor.name.empty()) tensor.name = fmt::format("arr_{}", i);
    auto header = NpyHeader(tensor.dtype, tensor.shape);
    if (!header) return std::move(header).error().Of(tensor.name);
    RETURN_IF_ERROR(zip.Begin(tensor.name + std::string(kSuffix)));
    RETURN_IF_ERROR(zip.Append(*header));
    RETURN_IF_ERROR(PassValues(
        tensor, [&](std::string_view bytes) { return zip.Append(bytes); }));
    RETURN_IF_ERROR(zip.End());
  }
  return zip.Finish();
}

}  // namespace

extern constinit const Codec kNpz = {
    .name = "npz",
    .summary = "NumPy archive, several arrays, stored or deflated",
    .extensions = ".npz",
    .sniff = IsNpz,
    .list = List,
    .write = Write,
    .holds = [](DType type) { return !NpyDescr(type).empty(); },
    .many = true,
};

}  // namespace assay
