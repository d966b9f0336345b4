// Raw values (.bin, .raw): no header; type and shape come from the user.
#include "codecs/codec.h"

namespace assay {
namespace {

bool IsRaw(const Sniff& file) {
  return file.hints.dtype &&
         (file.path.ends_with(".bin") || file.path.ends_with(".raw"));
}

Result<Shape> Flat(const InputFile& file, DType dtype) {
  const uint64_t bits = Info(dtype).bits;
  if (bits >= 8 && file.size() % (bits / 8) != 0) {
    return Corrupt("{} bytes are no whole number of {} values of {} bytes",
                   file.size(), Name(dtype), bits / 8)
        .At(file.path())
        .Hint("check --dtype, or give --shape");
  }
  return Shape{bits >= 8 ? static_cast<int64_t>(file.size() / (bits / 8))
                         : static_cast<int64_t>(file.size() * (8 / bits))};
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints& hints) {
  if (!hints.dtype || *hints.dtype == DType::kOpaque) {
    return Usage("raw values have no type of their own")
        .At(file.path())
        .Hint("give --dtype and --shape");
  }
  const DType dtype = *hints.dtype;
  Shape shape = hints.shape.value_or(Shape{});
  if (!hints.shape) {
    ASSIGN_OR_RETURN(shape, Flat(file, dtype));
  }
  const auto count = ElementCount(shape);
  const auto bytes = count ? ByteCount(dtype, *count) : std::nullopt;
  if (!bytes || *bytes != file.size()) {
    return Corrupt("{} of {} needs {} bytes, the file has {}", ToText(shape),
                   Name(dtype), bytes ? fmt::format("{}", *bytes) : "too many",
                   file.size())
        .At(file.path())
        .Hint("check --dtype and --shape");
  }
  return std::vector<StoredTensor>{{.dtype = dtype,
                                    .shape = std::move(shape),
                                    .extent = {.length = *bytes}}};
}

Status Write(std::span<TensorToWrite> tensors, OutputFile& out) {
  return AppendValues(tensors.front(), out);
}

}  // namespace

extern constinit const Codec kRawValues = {
    .name = "raw",
    .summary = "raw values, read with --dtype and --shape",
    .extensions = ".bin .raw",
    .sniff = IsRaw,
    .list = List,
    .write = Write,
    .holds = [](DType type) { return type != DType::kOpaque; },
};

}  // namespace assay
