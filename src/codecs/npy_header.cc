#include "codecs/npy_header.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "codecs/npy_dict.h"
#include "codecs/npy_type.h"

namespace assay {
namespace {

// A header longer than this is no array of numbers.
constexpr uint64_t kLongestHeader = 1 << 20;
constexpr uint64_t kAlignment = 64;

Error NotNpy(std::string_view magic) {
  Error error = Corrupt("not a NumPy array: the magic bytes are missing");
  error.hint = magic.starts_with("PK")
                   ? "it is a zip archive; should it be named .npz?"
                   : "the file is damaged, or its suffix is wrong";
  return error;
}

// The part in front of the dict; leaves `in` at the dict.
Result<uint64_t> ReadPreamble(ByteReader& in, std::string_view path) {
  const uint64_t begin = in.offset();
  const std::string_view magic = in.Text(kNpyMagic.size(), "magic");
  if (in.ok() && magic != kNpyMagic) return NotNpy(magic).At(path, begin);
  const int major = in.U8("major version"), minor = in.U8("minor version");
  if (in.ok() && (major < 1 || major > 3 || minor != 0)) {
    return Unsupported("npy version {}.{}", major, minor)
        .At(path, begin + kNpyMagic.size())
        .Hint("versions 1.0, 2.0 and 3.0 are understood");
  }
  const uint64_t length =
      major == 1 ? in.U16("header length") : in.U32("header length");
  if (!in.ok()) return in.error();
  if (length <= kLongestHeader) return length;
  return Corrupt("the header claims {} bytes", length)
      .At(path, begin + kNpyMagic.size() + 2)
      .Hint("no array needs that; the file is damaged");
}

// The bytes the values take, all of `left` where that is not known.
Result<uint64_t> ValueBytes(const StoredTensor& tensor, uint64_t left) {
  const auto count = ElementCount(tensor.shape);
  const auto bytes = count ? ByteCount(tensor.dtype, *count) : std::nullopt;
  if (!bytes) {
    return Corrupt("shape {} is larger than any file", ToText(tensor.shape));
  }
  if (tensor.dtype == DType::kOpaque) return left;
  if (*bytes <= left) return *bytes;
  return Corrupt("shape needs {} bytes, {} left", *bytes, left)
      .Hint("the file looks truncated; was the dump interrupted?");
}

}  // namespace

uint64_t NpyHeaderLength(std::string_view first) {
  ByteReader in(first, {});
  const auto length = ReadPreamble(in, {});
  return length ? in.offset() + *length : 0;
}

Result<StoredTensor> ParseNpy(std::string_view bytes, uint64_t total,
                              std::string_view path, uint64_t base,
                              const CodecHints& hints) {
  ByteReader in(bytes, path, base);
  ASSIGN_OR_RETURN(const uint64_t length, ReadPreamble(in, path));
  const uint64_t at = in.offset();
  const std::string_view text = in.Text(length, "header");
  if (!in.ok()) return in.error();
  ASSIGN_OR_RETURN(NpyDict dict, ParseNpyDict(text, path, at));
  StoredTensor tensor{.shape = std::move(dict.shape)};
  if (!SetNpyType(dict.descr, hints, tensor)) {
    return Corrupt("NumPy has no type '{}'", dict.descr)
        .At(path, at)
        .Hint("the header is damaged; write the array again");
  }
  const uint64_t header = in.offset() - base;
  auto values = ValueBytes(tensor, total - std::min(total, header));
  if (!values) return std::move(values).error().At(path, in.offset());
  tensor.extent = {.offset = header, .length = *values};
  if (dict.fortran_order && tensor.shape.size() > 1 &&
      tensor.dtype != DType::kOpaque) {
    tensor.strides = ColumnMajorStrides(tensor.shape);
  }
  return tensor;
}

Result<StoredTensor> ReadNpyHeader(const InputFile& file, uint64_t begin,
                                   uint64_t end, const CodecHints& hints) {
  const uint64_t total = end - begin;
  ASSIGN_OR_RETURN(std::string bytes,
                   file.Text(begin, std::min(total, kNpyFirst)));
  if (const uint64_t length = NpyHeaderLength(bytes); length > bytes.size()) {
    ASSIGN_OR_RETURN(bytes, file.Text(begin, std::min(total, length)));
  }
  ASSIGN_OR_RETURN(StoredTensor tensor,
                   ParseNpy(bytes, total, file.path(), begin, hints));
  tensor.extent.offset += begin;
  return tensor;
}

Result<std::string> NpyHeader(DType dtype, const Shape& shape) {
  const std::string descr = NpyDescr(dtype);
  if (descr.empty()) {
    return Unsupported("NumPy has no type for {}", Name(dtype))
        .Hint("safetensors holds bf16 and 8-bit floats");
  }
  std::string dims;
  for (const int64_t dim : shape) dims += fmt::format("{}, ", dim);
  if (shape.size() > 1) dims.resize(dims.size() - 2);
  if (shape.size() == 1) dims.pop_back();
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                  descr, dims);
  const uint64_t before = kNpyMagic.size() + 4;
  dict.append(-(before + dict.size() + 1) % kAlignment, ' ');
  dict += '\n';
  if (dict.size() > 0xffff) return Unsupported("too many dimensions");
  std::string header(kNpyMagic);
  header += {'\1', '\0', static_cast<char>(dict.size() & 0xff),
             static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

}  // namespace assay
