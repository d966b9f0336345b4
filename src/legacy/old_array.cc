// The layouts that msaccucmp converts, and how it cuts what comes out: by the
// position of the dimensions, whatever they mean in the new layout. Files of
// the old tool look like that; `assay convert --layout` cuts by meaning.
#include "legacy/old_array.h"

#include <algorithm>
#include <cstring>

#include "kernel/value_stream.h"
#include "kernel/work_buffers.h"
#include "legacy/chunks.h"
#include "legacy/format_scripts.h"
#include "legacy/old_layout.h"
#include "legacy/old_pack.h"
#include "legacy/python_text.h"
#include "pipeline/converted_tensor.h"

namespace assay {
namespace {

// Empty arrays have NumPy's default type.
DType TypeToWrite(const StoredTensor& tensor) {
  if (ElementCount(tensor.shape).value_or(0) == 0) return DType::kF64;
  const Codec& npy = *FindCodec("npy");
  return npy.holds(tensor.dtype) ? tensor.dtype : Widened(tensor.dtype);
}

Result<OldArray> ReadAll(const Dump& dump, const TensorInfo& tensor,
                         const ConvertOptions& options) {
  if (tensor.error()) return *tensor.error();
  OldArray out{.dtype = TypeToWrite(tensor.stored)};
  if (ElementCount(tensor.stored.shape).value_or(0) == 0) {
    out.shape = tensor.stored.shape;
    out.layout = tensor.stored.layout;
    return out;
  }
  WorkBuffers buffers;
  ASSIGN_OR_RETURN(
      const auto reading,
      ConvertedTensor::Make(dump, tensor, out.dtype, options, buffers));
  const TensorToWrite spec = reading->Spec();
  out.shape = spec.shape;
  out.layout = spec.layout;
  while (true) {
    ASSIGN_OR_RETURN(const std::string_view bytes, reading->Next());
    if (bytes.empty()) return out;
    out.bytes += bytes;
  }
}

// The first elements of each dimension.
void Keep(const Shape& to, OldArray& array) {
  const size_t width = Info(array.dtype).bits / 8;
  std::string out;
  const auto line = static_cast<size_t>(to.back()) * width;
  const Shape outer(to.begin(), to.end() - 1);
  const uint64_t lines = ElementCount(outer).value_or(0);
  for (uint64_t i = 0; i < lines; ++i) {
    const Shape at = Coordinates(i, outer);
    size_t offset = 0;
    for (size_t k = 0; k < array.shape.size(); ++k) {
      offset = offset * static_cast<size_t>(array.shape[k]) +
               (k < at.size() ? static_cast<size_t>(at[k]) : 0);
    }
    out.append(array.bytes, offset * width, line);
  }
  array.bytes = std::move(out);
  array.shape = to;
}

// False: the wanted shape does not fit, and the array stays whole.
bool Cut(const Shape& wanted, OldArray& array) {
  if (wanted.empty()) return true;
  if (array.shape.size() < wanted.size()) {
    return WithoutOnes(array.shape) == WithoutOnes(wanted);
  }
  const Shape from = Padded(array.shape, 4);
  const Shape to = Padded(wanted, from.size());
  if (ElementCount(from) == ElementCount(to) && WithoutOnes(from).size() <= 1) {
    return true;
  }
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] < to[i]) return false;
    if (from[i] == to[i]) continue;
    if (from.size() > 5) return true;
    array.shape = from;
    Shape least = to;
    for (size_t k = 0; k < least.size(); ++k) {
      least[k] = std::min(least[k], from[k]);
    }
    Keep(least, array);
    return true;
  }
  return true;
}

OldStatus CheckNz(const StoredTensor& tensor, const Shape& wanted) {
  const Shape& s = tensor.shape;
  const size_t rank = s.size() - 2;
  bool fits = s.size() >= 4 && wanted.size() == rank;
  for (size_t i = 0; fits && i + 2 < rank; ++i) fits = wanted[i] == s[i];
  if (fits) {
    const int64_t rows = s[rank - 1] * s[rank],
                  columns = s[rank - 2] * s[rank + 1];
    const int64_t n = wanted[rank - 2], c = wanted[rank - 1];
    fits = n <= rows && n > rows - 16 && c <= columns && c > columns - 16;
  }
  if (fits) return Done{};
  return Failure(OldCode::kParameter,
                 "The shape {} does not fit FRACTAL_NZ {}.", TupleText(wanted),
                 TupleText(s));
}

// Three dimensions are the most that come out of FRACTAL_NZ.
void JoinLeading(OldArray& array) {
  if (array.shape.size() <= 3) return;
  const auto last = array.shape.end() - 2;
  const Shape lead(array.shape.begin(), last);
  Shape shape = {static_cast<int64_t>(ElementCount(lead).value_or(0))};
  shape.insert(shape.end(), last, array.shape.end());
  array.shape = std::move(shape);
}

Shape WantedShape(const StoredTensor& stored, const OldFormat& format) {
  return format.shape ? *format.shape : stored.original.value_or(Shape{});
}

// In the other layout, before anything is cut.
OldResult<OldArray> Relaid(const Dump& dump, const TensorInfo& tensor,
                           const OldFormat& format, const Shape& wanted) {
  const StoredTensor& stored = tensor.stored;
  const bool script =
      format.scripts && format.scripts->Has(stored.layout, format.layout);
  if (script || format.layout == Layout::kFractalZ) {
    const auto array = ReadAll(dump, tensor, {});
    if (!array) return Failure(OldCode::kConversion, array.error());
    if (script) {
      return format.scripts->Run(
          *array, {stored.layout, format.layout, wanted, stored.groups});
    }
    auto packed = PackWeights(*array, stored.layout, stored.groups);
    if (!packed) return Failure(OldCode::kConversion, packed.error());
    return *std::move(packed);
  }
  ConvertOptions options;
  options.layouts = ConvertOptions::Layouts::kOne;
  const bool nz = stored.layout == Layout::kFractalNZ;
  const bool by_shape = nz || stored.layout == Layout::kFractalZ;
  options.layout = nz ? Layout::kND : format.layout;
  if (by_shape && !wanted.empty()) options.shape = wanted;
  TensorInfo asked = tensor;
  asked.stored.original = by_shape ? std::optional(wanted) : std::nullopt;
  auto array = ReadAll(dump, asked, options);
  if (!array) return Failure(OldCode::kConversion, array.error());
  if (nz) JoinLeading(*array);
  return *std::move(array);
}

OldResult<OldArray> Unpacked(const Dump& dump, const TensorInfo& tensor,
                             const OldFormat& format) {
  const StoredTensor& stored = tensor.stored;
  const Shape wanted = WantedShape(stored, format);
  auto array = Relaid(dump, tensor, format, wanted);
  if (!array) return array.error();
  array->layout = format.layout;
  if (!Cut(wanted, *array)) {
    LogError(fmt::format("Failed to slice data for '{}' from {} to {}.",
                         dump.PathOf(tensor), TupleText(array->shape),
                         TupleText(wanted)));
    array->layout = stored.layout;
  }
  return *std::move(array);
}

}  // namespace

OldResult<OldArray> ReadArray(const Dump& dump, const TensorInfo& tensor,
                              const std::optional<OldFormat>& format) {
  const Layout from = OldLayoutOf(tensor.stored);
  if (format && from == Layout::kFractalNZ) {
    const Shape wanted = WantedShape(tensor.stored, *format);
    if (auto fits = CheckNz(tensor.stored, wanted); !fits) return fits.error();
  }
  if (!format || from == format->layout) {
    auto array = ReadAll(dump, tensor, {});
    if (!array) return Failure(OldCode::kDumpData, array.error());
    if (format) array->layout = format->layout;
    return *std::move(array);
  }
  const bool script =
      format->scripts != nullptr && format->scripts->Has(from, format->layout);
  if (!script && !IsOldConversion(from, format->layout)) {
    return Failure(OldCode::kFormat, "Not supported from {} to {}.",
                   Name(tensor.stored.layout), Name(format->layout));
  }
  if (tensor.stored.groups > 1 && !script &&
      format->layout != Layout::kFractalZ) {
    return Failure(OldCode::kConversion,
                   "Weights with groups are only packed.");
  }
  return Unpacked(dump, tensor, *format);
}

Result<OldArray> WholeArray(const StoredView& view) {
  const Codec& npy = *FindCodec("npy");
  const DType type =
      npy.holds(view.dtype()) ? view.dtype() : Widened(view.dtype());
  OldArray out{.dtype = type, .shape = view.shape};
  WorkBuffers buffers;
  ASSIGN_OR_RETURN(const OpenView open, OpenView::Open(view));
  ASSIGN_OR_RETURN(ValueStream values, ValueStream::Open(open, type, buffers));
  while (true) {
    ASSIGN_OR_RETURN(const std::string_view bytes, values.Next());
    if (bytes.empty()) return out;
    out.bytes += bytes;
  }
}

Result<OldArray> FlatArray(const StoredView& view, uint64_t count,
                           bool keep_bool) {
  WorkBuffers buffers;
  OldArray array{.dtype = keep_bool ? DType::kBool : DType::kF32,
                 .shape = {static_cast<int64_t>(count)}};
  ASSIGN_OR_RETURN(const ChunkSide side, ChunkSide::Open(view));
  ASSIGN_OR_RETURN(auto reader, ChunkReader<float>::Open(side, {0, count},
                                                         buffers.target()));
  for (uint64_t left = count; left > 0;) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(left, kBlock));
    ASSIGN_OR_RETURN(const float* values, reader.Next(n));
    if (keep_bool) {
      for (size_t i = 0; i < n; ++i) {
        array.bytes += values[i] != 0 ? '\1' : '\0';
      }
    } else {
      array.bytes.append(reinterpret_cast<const char*>(values), n * 4);
    }
    left -= n;
  }
  RETURN_IF_ERROR(reader.Finish());
  return array;
}

}  // namespace assay
