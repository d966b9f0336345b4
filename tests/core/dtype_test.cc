#include "core/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay {
namespace {

using enum DType;

TEST(DType, NamesReadBack) {
  for (const DTypeInfo& info : AllDTypes()) {
    EXPECT_EQ(Name(info.type), info.name);
    EXPECT_EQ(&Info(info.type), &info);
    if (info.type == kOpaque) continue;
    EXPECT_EQ(ParseDType(info.name), info.type);
  }
  for (const std::string_view name : {"", "F32", "float32", "opaque", "f3"}) {
    EXPECT_EQ(ParseDType(name), std::nullopt) << name;
  }
}

TEST(DType, Table) {
  const struct {
    DType type;
    DKind kind;
    int bits;
    bool is_unsigned;
    DType part;
  } kRows[] = {
      {kF64, DKind::kFloat, 64, false, kF64},
      {kF32, DKind::kFloat, 32, false, kF32},
      {kF16, DKind::kFloat, 16, false, kF16},
      {kBF16, DKind::kFloat, 16, false, kBF16},
      {kF8E4M3, DKind::kFloat, 8, false, kF8E4M3},
      {kF8E5M2, DKind::kFloat, 8, false, kF8E5M2},
      {kF8E8M0, DKind::kFloat, 8, false, kF8E8M0},
      {kHiF8, DKind::kFloat, 8, false, kHiF8},
      {kI64, DKind::kInteger, 64, false, kI64},
      {kI32, DKind::kInteger, 32, false, kI32},
      {kI16, DKind::kInteger, 16, false, kI16},
      {kI8, DKind::kInteger, 8, false, kI8},
      {kI4, DKind::kInteger, 4, false, kI4},
      {kU64, DKind::kInteger, 64, true, kU64},
      {kU32, DKind::kInteger, 32, true, kU32},
      {kU16, DKind::kInteger, 16, true, kU16},
      {kU8, DKind::kInteger, 8, true, kU8},
      {kU1, DKind::kInteger, 1, true, kU1},
      {kBool, DKind::kBool, 8, true, kBool},
      {kC64, DKind::kComplex, 64, false, kF32},
      {kC128, DKind::kComplex, 128, false, kF64},
      {kC32, DKind::kComplex, 32, false, kF16},
      {kOpaque, DKind::kOpaque, 0, false, kOpaque},
  };
  EXPECT_EQ(std::size(kRows), AllDTypes().size());
  for (const auto& row : kRows) {
    const DTypeInfo& info = Info(row.type);
    EXPECT_EQ(info.kind, row.kind) << info.name;
    EXPECT_EQ(info.bits, row.bits) << info.name;
    EXPECT_EQ(info.is_unsigned, row.is_unsigned) << info.name;
    EXPECT_EQ(info.part, row.part) << info.name;
    EXPECT_EQ(IsComplex(row.type), row.kind == DKind::kComplex);
  }
}

TEST(DType, FloatsHaveRoundoffAndTiny) {
  const struct {
    DType type;
    int digits, least;  // 2^-digits: half a step at 1; 2^least: above zero
  } kRows[] = {
      {kF64, 53, -1074},  {kF32, 24, -149}, {kF16, 11, -24},
      {kBF16, 8, -133},   {kF8E4M3, 4, -9}, {kF8E5M2, 3, -16},
      {kF8E8M0, 1, -127}, {kHiF8, 2, -22},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Info(row.type).roundoff, std::ldexp(1, -row.digits));
    EXPECT_EQ(Info(row.type).tiny, std::ldexp(1, row.least));
  }
  EXPECT_EQ(Info(kF64).roundoff, std::numeric_limits<double>::epsilon() / 2);
  EXPECT_EQ(Info(kF32).tiny, std::numeric_limits<float>::denorm_min());
  for (const DTypeInfo& info : AllDTypes()) {
    EXPECT_EQ(info.roundoff > 0, info.kind == DKind::kFloat) << info.name;
    EXPECT_EQ(info.tiny > 0, info.kind == DKind::kFloat) << info.name;
  }
}

}  // namespace
}  // namespace assay
