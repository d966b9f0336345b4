#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "codecs/codec.h"
#include "codecs/stats_record.h"
#include "pipeline/record.h"

namespace assay {
namespace {

// The bits of a float16 whose value is exactly x.
uint16_t ExactHalf(double x) {
  const auto sign = static_cast<uint16_t>(std::signbit(x) ? 0x8000 : 0);
  if (std::isnan(x)) return sign | 0x7e00;
  if (std::isinf(x)) return sign | 0x7c00;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);  // [0.5, 1)
  if (fraction == 0) return sign;
  if (exponent < -13) {  // subnormal: units of 2^-24
    return sign | static_cast<uint16_t>(std::ldexp(fraction, exponent + 24));
  }
  const auto mantissa = static_cast<uint16_t>(std::ldexp(fraction, 11)) & 0x3ff;
  return sign | static_cast<uint16_t>(exponent + 14) << 10 | mantissa;
}

template <typename T>
void AppendBytes(T value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

int64_t AsInteger(const Number& x) {
  return x.kind == NumberKind::kReal ? static_cast<int64_t>(x.raw.real)
                                     : x.raw.sint;
}

void Append(const Number& x, DType type, std::string& out) {
  switch (type) {
    case DType::kF64:
      return AppendBytes(x.AsDouble(), out);
    case DType::kF32:
      return AppendBytes(static_cast<float>(x.AsDouble()), out);
    case DType::kF16:
      return AppendBytes(ExactHalf(x.AsDouble()), out);
    default:  // little-endian integers: the first bytes are the low ones
      const int64_t whole = AsInteger(x);
      out.append(reinterpret_cast<const char*>(&whole), Info(type).bits / 8);
  }
}

// NumPy's type for values of this one; floats that it lacks become float32.
DType NumpyType(DType type) {
  const DTypeInfo& info = Info(type);
  if (info.kind == DKind::kFloat && info.bits <= 16 && type != DType::kF16) {
    return DType::kF32;
  }
  if (type == DType::kI4) return DType::kI8;
  if (type == DType::kU1) return DType::kU8;
  return type;
}

// As NumPy promotes them.
DType Common(DType a, DType b) {
  if (a == b) return a;
  const DTypeInfo &x = Info(a), &y = Info(b);
  if (x.kind == DKind::kBool) return b;
  if (y.kind == DKind::kBool) return a;
  const bool floats = x.kind == DKind::kFloat && y.kind == DKind::kFloat;
  if (floats) return x.bits > y.bits ? a : b;
  const bool real = x.kind == DKind::kFloat || y.kind == DKind::kFloat;
  if (!real && x.is_unsigned == y.is_unsigned) return x.bits > y.bits ? a : b;
  if (!real) {  // a signed type wide enough for both
    const int bits = x.is_unsigned ? std::max(2 * x.bits, +y.bits)
                                   : std::max(2 * y.bits, +x.bits);
    return bits <= 16   ? DType::kI16
           : bits <= 32 ? DType::kI32
           : bits <= 64 ? DType::kI64
                        : DType::kF64;
  }
  const DTypeInfo& whole = x.kind == DKind::kFloat ? y : x;
  const DTypeInfo& number = x.kind == DKind::kFloat ? x : y;
  const int bits = std::max<int>(number.bits, whole.bits <= 8    ? 16
                                              : whole.bits <= 16 ? 32
                                                                 : 64);
  return bits <= 16 ? DType::kF16 : bits <= 32 ? DType::kF32 : DType::kF64;
}

// An array of the extremes of some tensors; its bytes.
struct Rows {
  DType type = DType::kF64;  // of no tensors, as in NumPy
  int64_t count = 0;
  std::string bytes;
};

Rows RowsOf(const RecordFile& record, std::string_view port) {
  Rows rows;
  for (const bool write : {false, true}) {
    for (const TensorRecord& t : record.tensors) {
      if (!t.tensor.name.starts_with(port)) continue;
      const DType mine = NumpyType(t.tensor.dtype);
      if (write) {
        Append(t.min, rows.type, rows.bytes);
        Append(t.max, rows.type, rows.bytes);
      } else {
        rows.type = rows.count++ == 0 ? mine : Common(rows.type, mine);
      }
    }
  }
  return rows;
}

TensorToWrite ToWrite(std::string name, const Rows& rows, Shape shape) {
  return {.name = std::move(name),
          .dtype = rows.type,
          .shape = std::move(shape),
          .next = [&rows, given = false]() mutable -> Result<std::string_view> {
            if (std::exchange(given, true)) return std::string_view();
            return std::string_view(rows.bytes);
          }};
}

Status WriteMinMax(const RecordFile& record, OutputFile& out) {
  if (!record.by_port) {
    const Rows rows = RowsOf(record, "");
    std::array one = {ToWrite("", rows, {2})};
    return FindCodec("npy")->write(one, out);
  }
  const Rows inputs = RowsOf(record, "input"),
             outputs = RowsOf(record, "output");
  const auto shape = [](const Rows& rows) {
    return rows.count == 0 ? Shape{0} : Shape{rows.count, 2};
  };
  std::array both = {ToWrite("inputs", inputs, shape(inputs)),
                     ToWrite("outputs", outputs, shape(outputs))};
  return FindCodec("npz")->write(both, out);
}

Status WriteStats(const RecordFile& record, OutputFile& out) {
  std::vector<StoredTensor> tensors;
  for (const TensorRecord& t : record.tensors) tensors.push_back(t.tensor);
  return out.Append(StatsRecordText(tensors));
}

}  // namespace

std::string RecordPath(const std::string& path, Keep keep, bool by_port) {
  constexpr std::string_view kArray = ".npy";
  std::string stem = path;
  if (!by_port && path.ends_with(kArray)) {
    stem.resize(path.size() - kArray.size());
  }
  if (keep == Keep::kStats) return stem + std::string(kStatsRecordSuffix);
  return stem + (by_port ? "_min_max.npz" : "_min_max.npy");
}

Result<std::string> WriteRecord(const RecordFile& record, Keep keep) {
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(record.path));
  RETURN_IF_ERROR(keep == Keep::kStats ? WriteStats(record, out)
                                       : WriteMinMax(record, out));
  RETURN_IF_ERROR(out.HandOver());
  return out.temporary();
}

}  // namespace assay
