#include "graphs/onnx_values.h"

#include <optional>
#include <string>

#include "base/byte_reader.h"
#include "core/dtype.h"
#include "kernel/decode.h"

namespace assay::onnx {
namespace {

constexpr uint64_t kMost = 1 << 20;

// Of the types that scales and zero points have.
std::optional<DType> TypeOf(const Value& value) {
  switch (value.type) {
    case 1:
      return DType::kF32;
    case 2:
      return DType::kU8;
    case 3:
      return DType::kI8;
    case 4:
      return DType::kU16;
    case 5:
      return DType::kI16;
    case 6:
      return DType::kI32;
    case 10:
      return DType::kF16;
    case 11:
      return DType::kF64;
    case 16:
      return DType::kBF16;
    case 22:
      return DType::kI4;
    default:
      return std::nullopt;
  }
}

// Packed numbers as raw_data would hold them: the low bytes of each.
std::string Unpacked(std::string_view packed, size_t width) {
  ByteReader in(packed, "");
  std::string out;
  while (in.ok() && in.left() > 0) {
    const uint64_t number = in.Varint("");
    for (size_t i = 0; i < width; ++i) {
      out += static_cast<char>(number >> (8 * i));
    }
  }
  return in.ok() ? out : "";
}

// The values as raw_data has them; empty if they are not there.
std::string RawBytes(const Value& value, DType type) {
  const auto& [field, bytes] = value.stored;
  if (field == "int32_data") {
    const uint8_t bits = Info(type).bits;
    const bool narrow = bits >= 8 && type != DType::kF32 && type != DType::kF64;
    return narrow && bytes.size() <= 10 * kMost ? Unpacked(bytes, bits / 8)
                                                : "";
  }
  const bool whole = field == "raw_data" ||
                     (field == "float_data" && type == DType::kF32) ||
                     (field == "double_data" && type == DType::kF64);
  return whole && bytes.size() <= 8 * kMost ? std::string(bytes) : "";
}

}  // namespace

std::vector<double> SmallNumbers(const Value& value) {
  const auto type = TypeOf(value);
  const auto count = ElementCount(value.shape);
  if (!type || !count || *count == 0 || *count > kMost) return {};
  const std::string bytes = RawBytes(value, *type);
  if (bytes.size() != ByteCount(*type, *count)) return {};
  std::vector<double> out(*count);
  const auto* from = reinterpret_cast<const std::byte*>(bytes.data());
  auto* to = reinterpret_cast<std::byte*>(out.data());
  const Decoder decode = FindDecoder(*type, TileType::kF64, false);
  if (decode != nullptr) {
    decode(from, out.size(), to);
  } else {
    std::copy_n(from, bytes.size(), to);
  }
  return out;
}

}  // namespace assay::onnx
