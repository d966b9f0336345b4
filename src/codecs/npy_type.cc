#include "codecs/npy_type.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace assay {
namespace {

struct TypeCode {
  char kind;
  int width;
  DType dtype;
};

// The types that can be compared, as NumPy writes them.
constexpr TypeCode kTypes[] = {
    {'b', 1, DType::kBool}, {'i', 1, DType::kI8},    {'i', 2, DType::kI16},
    {'i', 4, DType::kI32},  {'i', 8, DType::kI64},   {'u', 1, DType::kU8},
    {'u', 2, DType::kU16},  {'u', 4, DType::kU32},   {'u', 8, DType::kU64},
    {'f', 2, DType::kF16},  {'f', 4, DType::kF32},   {'f', 8, DType::kF64},
    {'c', 8, DType::kC64},  {'c', 16, DType::kC128},
};

// Long doubles, and the 8-bit floats of ml_dtypes, which do not say which.
constexpr TypeCode kOtherNumbers[] = {
    {'f', 1, DType::kOpaque},  {'f', 12, DType::kOpaque},
    {'f', 16, DType::kOpaque}, {'c', 24, DType::kOpaque},
    {'c', 32, DType::kOpaque},
};
// Bytes, text, objects, records and voids, times.
constexpr std::string_view kOtherKinds = "SaUOVMm";

struct Descr {
  char kind = 0;
  int width = 0;
  bool big_endian = false;
};

std::optional<Descr> ParseDescr(std::string_view text) {
  Descr descr;
  if (!text.empty() && std::string_view("<>|=").find(text[0]) != text.npos) {
    descr.big_endian = text[0] == '>';
    text.remove_prefix(1);
  }
  if (text == "?") text = "b1";
  if (text.empty()) return std::nullopt;
  descr.kind = text[0];
  const char* end = text.data() + text.size();
  const auto [stop, problem] =
      std::from_chars(text.data() + 1, end, descr.width);
  const bool time = (descr.kind == 'M' || descr.kind == 'm') && stop < end &&
                    *stop == '[' && text.back() == ']';
  if (stop != end && !time) return std::nullopt;
  if (problem != std::errc() && descr.kind != 'O') return std::nullopt;
  if (descr.width < 0) return std::nullopt;
  return descr;
}

std::optional<DType> TypeOf(const Descr& descr, const CodecHints& hints) {
  if (descr.kind == 'V' && descr.width == 2 && hints.bf16_void) {
    return DType::kBF16;
  }
  if (kOtherKinds.find(descr.kind) != std::string_view::npos) {
    return DType::kOpaque;
  }
  const auto same = [&](const TypeCode& code) {
    return code.kind == descr.kind && code.width == descr.width;
  };
  if (const auto* code = std::ranges::find_if(kTypes, same);
      code != std::end(kTypes)) {
    return code->dtype;
  }
  if (std::ranges::any_of(kOtherNumbers, same)) return DType::kOpaque;
  return std::nullopt;
}

}  // namespace

bool SetNpyType(std::string_view text, const CodecHints& hints,
                StoredTensor& tensor) {
  if (text.starts_with('[') || text.starts_with('(')) {
    tensor.dtype = DType::kOpaque;
    return true;
  }
  const auto descr = ParseDescr(text);
  const auto dtype = descr ? TypeOf(*descr, hints) : std::nullopt;
  if (!dtype) return false;
  tensor.dtype = *dtype;
  tensor.big_endian =
      descr->big_endian && descr->width > 1 && *dtype != DType::kOpaque;
  return true;
}

std::string NpyDescr(DType dtype) {
  const auto* code = std::ranges::find(kTypes, dtype, &TypeCode::dtype);
  if (code == std::end(kTypes)) return {};
  return fmt::format("{}{}{}", code->width > 1 ? '<' : '|', code->kind,
                     code->width);
}

}  // namespace assay
