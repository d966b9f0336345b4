// Dumps that were shrunk to the smallest and the largest value of each tensor.
//   NAME_min_max.npy  of one tensor: [min, max]
//   NAME_min_max.npz  of one operator: inputs and outputs, arrays of shape
//                     [n,2] whose rows are the [min, max] of a tensor
// Both keep the type of the data. Tensors of an archive are called input:0,
// output:1.
#include <memory>

#include "base/text.h"
#include "codecs/codec.h"
#include "kernel/byte_stream.h"
#include "kernel/decode.h"

namespace assay {
namespace {

constexpr std::string_view kOne = "_min_max.npy", kMany = "_min_max.npz";
constexpr int64_t kMostRows = 1 << 16;  // no operator has more tensors

bool IsMinMax(const Sniff& file) {
  return file.path.ends_with(kOne) || file.path.ends_with(kMany);
}

Result<std::string> ReadBytes(const InputFile& file, const StoredTensor& from,
                              size_t bytes) {
  std::string out(bytes, '\0');
  const auto span = std::as_writable_bytes(std::span(out));
  if (from.extent.encoding == Encoding::kRaw) {
    RETURN_IF_ERROR(file.ReadAt(from.extent.offset, span));
    return out;
  }
  ASSIGN_OR_RETURN(const auto stream, OpenStream(file, from));
  RETURN_IF_ERROR(stream->Read(span));
  RETURN_IF_ERROR(stream->Finish());
  return out;
}

// The values of a small array, as they stand in the file.
Result<std::vector<double>> ReadNumbers(const InputFile& file,
                                        const StoredTensor& from) {
  const auto count = static_cast<size_t>(*ElementCount(from.shape));
  ASSIGN_OR_RETURN(const std::string bytes,
                   ReadBytes(file, from, *ByteCount(from.dtype, count)));
  std::vector<double> values(count);
  const auto* in = reinterpret_cast<const std::byte*>(bytes.data());
  if (const Decoder decode =
          FindDecoder(from.dtype, TileType::kF64, from.big_endian)) {
    decode(in, count, values.data());
  } else {
    std::copy_n(in, bytes.size(), reinterpret_cast<std::byte*>(values.data()));
  }
  return values;
}

StoredTensor Summarised(std::string name, DType dtype, double min, double max) {
  return {.name = std::move(name),
          .dtype = dtype,
          .summary = std::make_shared<const TensorSummary>(
              TensorSummary{.min = min, .max = max, .shape_known = false})};
}

Error NotMinMax(const StoredTensor& from, std::string_view wanted) {
  return Corrupt("{} {} where {} is wanted", Name(from.dtype),
                 ToText(from.shape), wanted)
      .Of(from.name)
      .Hint(
          "'_min_max' names files that hold only the smallest and largest "
          "values");
}

bool HasReals(DType type) { return type != DType::kOpaque && !IsComplex(type); }

Result<std::vector<StoredTensor>> ListOne(const InputFile& file,
                                          const CodecHints& hints) {
  ASSIGN_OR_RETURN(const auto arrays, FindCodec("npy")->list(file, hints));
  const StoredTensor& from = arrays.front();
  if (!HasReals(from.dtype) || from.shape != Shape{2}) {
    return NotMinMax(from, "an array of two numbers");
  }
  ASSIGN_OR_RETURN(const auto values, ReadNumbers(file, from));
  return std::vector{Summarised("", from.dtype, values[0], values[1])};
}

Status AddRows(const InputFile& file, const StoredTensor& from,
               std::string_view port, std::vector<StoredTensor>& tensors) {
  if (from.shape == Shape{0}) return Done{};  // no tensors
  if (!HasReals(from.dtype) || from.shape.size() != 2 || from.shape[1] != 2 ||
      from.shape[0] > kMostRows) {
    return NotMinMax(from, "an array of pairs of numbers");
  }
  ASSIGN_OR_RETURN(const auto values, ReadNumbers(file, from));
  const auto rows = static_cast<size_t>(from.shape[0]);
  // Column-major: all smallest values, then all largest.
  const bool by_column = !from.strides.empty();
  for (size_t i = 0; i < rows; ++i) {
    tensors.push_back(Summarised(fmt::format("{}:{}", port, i), from.dtype,
                                 values[by_column ? i : 2 * i],
                                 values[by_column ? rows + i : 2 * i + 1]));
  }
  return Done{};
}

Result<std::vector<StoredTensor>> ListMany(const InputFile& file,
                                           const CodecHints& hints) {
  ASSIGN_OR_RETURN(const auto arrays, FindCodec("npz")->list(file, hints));
  std::vector<StoredTensor> tensors;
  bool found = false;
  for (const StoredTensor& from : arrays) {
    if (from.name != "inputs" && from.name != "outputs") continue;
    found = true;
    RETURN_IF_ERROR(AddRows(
        file, from, from.name == "inputs" ? "input" : "output", tensors));
  }
  if (found) return tensors;
  return Corrupt("neither 'inputs' nor 'outputs' is in it");
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints& hints) {
  ASSIGN_OR_RETURN(const std::string head, file.Head(2));
  const bool archive = file.path().ends_with(kMany) || head == "PK";
  auto tensors = archive ? ListMany(file, hints) : ListOne(file, hints);
  if (tensors || !tensors.error().file.empty()) return tensors;
  return std::move(tensors).error().At(file.path());
}

}  // namespace

extern constinit const Codec kMinMax = {
    .name = "min-max",
    .summary = "smallest and largest values of tensors, no other values",
    .extensions = "_min_max.npy _min_max.npz",
    .sniff = IsMinMax,
    .list = List,
    .write = nullptr,
    .many = true,
};

}  // namespace assay
