// Ascend dump: what one operator read and wrote on the device. Three kinds:
//   blocks    0  8   header length n, little endian
//             8  n   protobuf message DumpData
//             .. ..  values: inputs, outputs, buffers, spaces, each as many
//                    bytes as its `size`, which may be more than its shape's
//   nano      the same with another header, which begins with "ZZZZ"
//   protobuf  the whole file is a DumpData, values in its `data` fields
#include "codecs/ascend.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "codecs/ascend_name.h"
#include "codecs/ascend_nano.h"
#include "codecs/ascend_proto.h"
#include "codecs/ascend_sniff.h"

namespace assay {
namespace {

constexpr uint64_t kLengthBytes = 8;
constexpr std::string_view kTruncated =
    "the file looks truncated; was the dump interrupted?";

// Gives every tensor the bytes after those of the one before.
Result<uint64_t> PlaceBlocks(const InputFile& file, uint64_t at,
                             AscendHeader& header) {
  for (AscendTensor& tensor : header.tensors) {
    const uint64_t left = file.size() - at;
    if (tensor.size > left) {
      return Corrupt("its values need {} bytes, {} left", tensor.size, left)
          .At(file.path(), at)
          .Of(NameOf(tensor))
          .Hint(kTruncated);
    }
    tensor.offset = at;
    at += tensor.size;
  }
  return at;
}

Result<AscendHeader> ReadNano(const InputFile& file, uint64_t length) {
  ASSIGN_OR_RETURN(AscendHeader header, ReadNanoHeader(file, length));
  ASSIGN_OR_RETURN(const uint64_t end,
                   PlaceBlocks(file, kLengthBytes + length, header));
  if (end == file.size()) return header;
  return Corrupt("the last {} bytes belong to no tensor", file.size() - end)
      .At(file.path(), end)
      .Hint("the header is damaged; dump it again");
}

Result<AscendHeader> ReadBlocks(FileWindow& window, uint64_t length) {
  const uint64_t begin = kLengthBytes, end = kLengthBytes + length;
  if (length == 0) {
    return Corrupt("the header is empty")
        .At(window.file().path(), 0)
        .Hint("was the dump interrupted?");
  }
  ASSIGN_OR_RETURN(AscendHeader header,
                   ReadDumpData(window, {.begin = begin, .end = end}));
  RETURN_IF_ERROR(PlaceBlocks(window.file(), end, header));
  return header;
}

Result<AscendHeader> ReadProtobuf(FileWindow& window) {
  ASSIGN_OR_RETURN(AscendHeader header,
                   ReadDumpData(window, {.end = window.file().size(),
                                         .values_inside = true}));
  header.kind = AscendKind::kProtobuf;
  return header;
}

// The whole header must be there before it is looked at.
Result<uint64_t> HeaderLength(const InputFile& file, std::string_view head) {
  if (file.size() == 0) {
    return Corrupt("the file is empty")
        .At(file.path(), 0)
        .Hint("was the dump interrupted?");
  }
  ByteReader in(head, file.path());
  const uint64_t length = in.U64("header length");
  if (!in.ok()) return in.error();
  const uint64_t left = file.size() - kLengthBytes;
  if (length <= left) return length;
  return Corrupt("the header needs {} bytes, {} left", length, left)
      .At(file.path(), kLengthBytes)
      .Hint(kTruncated);
}

// The oldest kind has no length in front: its first bytes, read as one, give a
// number that no header has. It may be truncated.
bool IsProtobuf(std::string_view head) {
  constexpr uint64_t kLongest = uint64_t{1} << 40;
  ByteReader in(head, {});
  const uint64_t length = in.U64("header length");
  return in.ok() && length > kLongest && BeginsDumpData(head, UINT64_MAX);
}

Result<AscendHeader> ReadAny(const InputFile& file) {
  FileWindow window(file);
  ASSIGN_OR_RETURN(const std::string_view view,
                   window.At(0, std::min<uint64_t>(kHead, file.size())));
  const bool nano = BeginsNano(view), protobuf = IsProtobuf(view);
  if (!nano && protobuf) return ReadProtobuf(window);
  ASSIGN_OR_RETURN(const uint64_t length, HeaderLength(file, view));
  return nano ? ReadNano(file, length) : ReadBlocks(window, length);
}

void SetSlices(AscendHeader& header, std::string_view name) {
  if (header.attrs.empty()) return;
  header.slices =
      ParseAscendSlices(header.attrs.front().second, AscendThread(name));
  if (!header.slices) return;
  const auto count = [&](AscendList list) {
    return static_cast<size_t>(
        std::ranges::count(header.tensors, list, &AscendTensor::list));
  };
  const auto& inputs = header.slices->inputs;
  const auto& outputs = header.slices->outputs;
  const bool has_inputs = inputs.size() == count(AscendList::kInput);
  const bool has_outputs = outputs.size() == count(AscendList::kOutput);
  for (AscendTensor& tensor : header.tensors) {
    if (tensor.list == AscendList::kInput && has_inputs) {
      tensor.slice = inputs[tensor.index];
    } else if (tensor.list == AscendList::kOutput && has_outputs) {
      tensor.slice = outputs[tensor.index];
    }
  }
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints&) {
  ASSIGN_OR_RETURN(const AscendHeader header,
                   ReadAscendHeader(file, BaseName(file.path())));
  return StoredTensors(header, file.path());
}

}  // namespace

Result<AscendHeader> ReadAscendHeader(const InputFile& file,
                                      std::string_view name) {
  ASSIGN_OR_RETURN(AscendHeader header, ReadAny(file));
  SetSlices(header, name);
  return header;
}

extern constinit const Codec kAscend = {
    .name = "ascend",
    .summary = "Ascend dump: header and blocks, legacy protobuf, nano",
    .extensions = "",
    .sniff = IsAscend,
    .list = List,
    .write = WriteAscend,
    .holds = [](DType type) { return type != DType::kOpaque; },
    .many = true,
};

}  // namespace assay
