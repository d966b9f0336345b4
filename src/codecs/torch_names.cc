#include "codecs/torch_names.h"

#include <array>
#include <string_view>

namespace assay {
namespace {

using Role = TorchRole;
using enum DType;

constexpr std::string_view kQuantised =
    "quantised tensors are not understood; save dequantize() or int_repr()";
constexpr std::string_view kSparse =
    "sparse tensors are not understood; save to_dense()";
constexpr std::string_view kNoValues = "a meta tensor has no values";

struct Entry {
  std::string_view name;
  Role role;
  DType dtype = kOpaque;
  std::string_view hint = {};
};

constexpr Entry Storage(std::string_view name, DType dtype) {
  return {name, Role::kStorage, dtype};
}
constexpr Entry Type(std::string_view name, DType dtype = kOpaque) {
  return {name, Role::kDType, dtype};
}
constexpr Entry Refused(std::string_view name, std::string_view hint) {
  return {name, Role::kRefused, kOpaque, hint};
}

constexpr Entry kEntries[] = {
    {"torch._utils._rebuild_tensor_v2", Role::kTensor},
    {"torch._utils._rebuild_tensor_v3", Role::kTyped},
    {"torch._utils._rebuild_parameter", Role::kParameter},
    {"collections.OrderedDict", Role::kDict},
    {"builtins.set", Role::kSet},
    {"__builtin__.set", Role::kSet},
    {"torch.Size", Role::kSize},
    {"torch.device", Role::kOther},
    {"_codecs.encode", Role::kOther},  // how protocol 2 spells bytes
    Storage("torch.DoubleStorage", kF64),
    Storage("torch.FloatStorage", kF32),
    Storage("torch.HalfStorage", kF16),
    Storage("torch.BFloat16Storage", kBF16),
    Storage("torch.LongStorage", kI64),
    Storage("torch.IntStorage", kI32),
    Storage("torch.ShortStorage", kI16),
    Storage("torch.CharStorage", kI8),
    Storage("torch.ByteStorage", kU8),
    Storage("torch.BoolStorage", kBool),
    Storage("torch.ComplexDoubleStorage", kC128),
    Storage("torch.ComplexFloatStorage", kC64),
    Storage("torch.UntypedStorage", kU8),
    Storage("torch.storage.UntypedStorage", kU8),
    Storage("torch.storage.TypedStorage", kOpaque),
    Type("torch.float64", kF64),
    Type("torch.float32", kF32),
    Type("torch.float16", kF16),
    Type("torch.bfloat16", kBF16),
    Type("torch.float8_e4m3fn", kF8E4M3),
    Type("torch.float8_e5m2", kF8E5M2),
    Type("torch.float8_e8m0fnu", kF8E8M0),
    Type("torch.int64", kI64),
    Type("torch.int32", kI32),
    Type("torch.int16", kI16),
    Type("torch.int8", kI8),
    Type("torch.uint64", kU64),
    Type("torch.uint32", kU32),
    Type("torch.uint16", kU16),
    Type("torch.uint8", kU8),
    Type("torch.bool", kBool),
    Type("torch.complex128", kC128),
    Type("torch.complex64", kC64),
    Type("torch.complex32", kC32),
    Type("torch.float8_e4m3fnuz"),
    Type("torch.float8_e5m2fnuz"),
    Type("torch.float4_e2m1fn_x2"),
    Type("torch.bcomplex32"),
    Type("torch.bits8"),
    Type("torch.bits16"),
    Type("torch.bits1x8"),
    Type("torch.bits2x4"),
    Type("torch.bits4x2"),
    Type("torch.qint8"),
    Type("torch.quint8"),
    Type("torch.qint32"),
    Type("torch.quint4x2"),
    Type("torch.quint2x4"),
    Refused("torch._utils._rebuild_qtensor", kQuantised),
    Refused("torch.QInt8Storage", kQuantised),
    Refused("torch.QUInt8Storage", kQuantised),
    Refused("torch.QInt32Storage", kQuantised),
    Refused("torch.QUInt4x2Storage", kQuantised),
    Refused("torch.QUInt2x4Storage", kQuantised),
    Refused("torch._utils._rebuild_sparse_tensor", kSparse),
    Refused("torch._utils._rebuild_meta_tensor_no_storage", kNoValues),
};

constexpr PickleGlobal::Use UseOf(Role role) {
  using enum PickleGlobal::Use;
  switch (role) {
    case Role::kRefused:
      return kRefuse;
    case Role::kStorage:
    case Role::kDType:
      return kMention;
    case Role::kDict:
      return kFill;
    default:
      return kCall;
  }
}

constexpr auto kGlobals = [] {
  std::array<PickleGlobal, std::size(kEntries)> globals{};
  for (size_t i = 0; i < globals.size(); ++i) {
    const Entry& entry = kEntries[i];
    globals[i] = {entry.name, UseOf(entry.role), entry.hint};
  }
  return globals;
}();

}  // namespace

std::span<const PickleGlobal> TorchGlobals() { return kGlobals; }

TorchName TorchNameOf(int64_t global) {
  if (global < 0) return {};
  const Entry& entry = kEntries[global];
  return {entry.role, entry.dtype};
}

}  // namespace assay
