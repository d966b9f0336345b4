#include "judge/type_floor.h"

#include <optional>

#include "judge/constants.h"

namespace assay {
namespace {

void TakeCoarser(DType type, bool seen, Rounding& out) {
  const DTypeInfo& info = Info(Info(type).part);
  if (info.roundoff > out.roundoff) {
    out.type = info.type;
    out.roundoff = info.roundoff;
    out.seen_in_bits = seen;
  }
  // Need not be the coarser type: bf16 is, f16 loses small values.
  if (info.tiny > out.tiny) {
    out.tiny = info.tiny;
    out.tiny_type = info.type;
  }
}

std::optional<DType> SeenInBits(DType declared, int fraction) {
  const DType part = Info(declared).part;
  if (part != DType::kF32 && part != DType::kF64) return std::nullopt;
  if (fraction < kLeastFraction) return std::nullopt;
  if (fraction <= kBF16Fraction) return DType::kBF16;
  if (fraction <= kF16Fraction) return DType::kF16;
  if (part == DType::kF64 && fraction <= 23) return DType::kF32;
  return std::nullopt;
}

}  // namespace

Rounding CoarsestRounding(DType golden, DType target, const PairStats& stats) {
  Rounding out = {.type = target};
  TakeCoarser(golden, false, out);
  TakeCoarser(target, false, out);
  if (const auto seen = SeenInBits(golden, stats.fraction_bits_golden)) {
    TakeCoarser(*seen, true, out);
  }
  if (const auto seen = SeenInBits(target, stats.fraction_bits_target)) {
    TakeCoarser(*seen, true, out);
  }
  return out;
}

}  // namespace assay
