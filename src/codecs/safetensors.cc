// safetensors: tensors side by side, described by JSON.
//   0  8   header length n, little endian
//   8  n   {"NAME": {"dtype": "F32", "shape": [2,3], "data_offsets": [0,24]},
//           ..., "__metadata__": {...}}; the offsets count from byte 8 + n
//   .. ..  values, row-major and little-endian, without holes
#include <algorithm>
#include <set>
#include <tuple>

#include "base/byte_reader.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "codecs/codec.h"
#include "codecs/safetensors_header.h"

namespace assay {
namespace {

constexpr uint64_t kLongestHeader = 100'000'000;  // as the format's own reader
constexpr uint64_t kLengthBytes = 8;

uint64_t HeaderLength(std::string_view head) {
  return ByteReader(head, {}).U64("header length");
}

bool IsSafetensors(const Sniff& file) {
  if (file.path.ends_with(".safetensors")) return true;
  if (file.head.size() <= kLengthBytes) return false;
  const uint64_t length = HeaderLength(file.head);
  return length >= 2 && length <= kLongestHeader &&
         length <= file.size - kLengthBytes && file.head[kLengthBytes] == '{';
}

Result<std::string> ReadHeader(const InputFile& file) {
  ASSIGN_OR_RETURN(const std::string head, file.Head(kLengthBytes));
  ByteReader in(head, file.path());
  const uint64_t length = in.U64("header length");
  if (!in.ok()) return in.error();
  const uint64_t left = file.size() - kLengthBytes;
  if (length > kLongestHeader) {
    return Corrupt("the header claims {} bytes", length)
        .At(file.path(), 0)
        .Hint("no header is that long; is it a safetensors file?");
  }
  if (length > left) {
    return Corrupt("the header needs {} bytes, {} left", length, left)
        .At(file.path(), kLengthBytes)
        .Hint("the file looks truncated; was the dump interrupted?");
  }
  return file.Text(kLengthBytes, length);
}

Status CheckSize(const StoredTensor& t, uint64_t room) {
  if (t.extent.offset + t.extent.length > room) {
    return Corrupt("data_offsets end at {}, {} bytes there",
                   t.extent.offset + t.extent.length, room)
        .Hint("the file looks truncated; was the dump interrupted?");
  }
  const auto count = ElementCount(t.shape);
  const auto bytes = count ? ByteCount(t.dtype, *count) : std::nullopt;
  if (!bytes) return Corrupt("shape {} is too large", ToText(t.shape));
  if (t.dtype == DType::kOpaque || *bytes == t.extent.length) return Done{};
  return Corrupt("{} {} needs {} bytes, its data_offsets have {}",
                 Name(t.dtype), ToText(t.shape), *bytes, t.extent.length)
      .Hint("the header is damaged; write the file again");
}

// The tensors, in the order of their bytes, cover the buffer: no byte twice, no
// byte left out.
Status CheckCover(const StoredTensor& t, uint64_t covered) {
  if (t.extent.offset == covered) return Done{};
  return t.extent.offset < covered
             ? Corrupt("its first {} bytes belong to another tensor too",
                       covered - t.extent.offset)
             : Corrupt("the {} bytes before it belong to no tensor",
                       t.extent.offset - covered);
}

Status CheckNames(const std::vector<StoredTensor>& tensors) {
  std::vector<std::string_view> names;
  for (const StoredTensor& tensor : tensors) names.push_back(tensor.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return Done{};
  return Corrupt("the header has '{}' twice", *twice);
}

Status CheckAll(const std::vector<StoredTensor>& tensors, uint64_t room) {
  RETURN_IF_ERROR(CheckNames(tensors));
  uint64_t covered = 0;
  for (const StoredTensor& tensor : tensors) {
    Status status = CheckSize(tensor, room);
    if (status) status = CheckCover(tensor, covered);
    if (!status) return std::move(status).error().Of(tensor.name);
    covered += tensor.extent.length;
  }
  if (covered == room) return Done{};
  return Corrupt("the last {} bytes belong to no tensor", room - covered);
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints&) {
  ASSIGN_OR_RETURN(const std::string header, ReadHeader(file));
  ASSIGN_OR_RETURN(auto tensors,
                   ParseSafetensorsHeader(header, file.path(), kLengthBytes));
  std::ranges::sort(tensors, {}, [](const StoredTensor& t) {
    return std::tie(t.extent.offset, t.extent.length, t.name);
  });
  const uint64_t begin = kLengthBytes + header.size();
  Status status = CheckAll(tensors, file.size() - begin);
  if (!status) return std::move(status).error().At(file.path(), begin);
  for (StoredTensor& tensor : tensors) tensor.extent.offset += begin;
  return tensors;
}

Status CheckWritable(const TensorToWrite& tensor,
                     std::set<std::string_view>& names) {
  if (SafetensorsName(tensor.dtype).empty()) {
    return Unsupported("safetensors has no type for {}", Name(tensor.dtype));
  }
  if (ValidUtf8(tensor.name) != tensor.name) {
    return Unsupported("the name is not UTF-8");
  }
  if (tensor.name == "__metadata__" || !names.insert(tensor.name).second) {
    return Unsupported("the name '{}' is taken", tensor.name);
  }
  return Done{};
}

Result<std::string> Header(std::span<const TensorToWrite> tensors) {
  JsonWriter json;
  json.BeginObject();
  std::set<std::string_view> names;
  uint64_t at = 0;
  for (const TensorToWrite& t : tensors) {
    Status status = CheckWritable(t, names);
    if (!status) return std::move(status).error().Of(t.name);
    const uint64_t begin = at;
    at += ByteCount(t.dtype, ElementCount(t.shape).value_or(0)).value_or(0);
    json.Key(t.name).BeginObject().Key("dtype").Text(SafetensorsName(t.dtype));
    json.Key("shape").Raw(ToText(t.shape));
    json.Key("data_offsets").BeginArray().Uint(begin).Uint(at).EndArray();
    json.EndObject();
  }
  std::string text = json.EndObject().Take();
  text.append(-text.size() % kLengthBytes, ' ');
  return text;
}

Status Write(std::span<TensorToWrite> tensors, OutputFile& out) {
  ASSIGN_OR_RETURN(const std::string header, Header(tensors));
  std::string length;
  for (uint64_t i = 0; i < kLengthBytes; ++i) {
    length += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  RETURN_IF_ERROR(out.Append(length + header));
  for (TensorToWrite& tensor : tensors) {
    RETURN_IF_ERROR(AppendValues(tensor, out));
  }
  return Done{};
}

}  // namespace

extern constinit const Codec kSafetensors = {
    .name = "safetensors",
    .summary = "safetensors, several tensors, also bf16 and 8-bit floats",
    .extensions = ".safetensors",
    .sniff = IsSafetensors,
    .list = List,
    .write = Write,
    .holds = [](DType type) { return !SafetensorsName(type).empty(); },
    .many = true,
};

}  // namespace assay
