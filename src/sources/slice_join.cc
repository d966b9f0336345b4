#include "sources/slice_join.h"

#include <algorithm>
#include <cstdint>

#include "core/unpack.h"
#include "sources/plain_names.h"

namespace assay {
namespace {

// The tensor of that name in a slice; null if it has none.
StoredTensor* Find(Slice& slice, const std::string& name) {
  const auto found =
      std::ranges::find(slice.tensors, name, &StoredTensor::name);
  return found == slice.tensors.end() ? nullptr : &*found;
}

// Why a part does not go behind the ones before it; empty if it does.
std::string Misfit(const StoredTensor& whole, const StoredTensor& part,
                   size_t axis) {
  if (part.dtype != whole.dtype || part.layout != whole.layout) {
    return fmt::format("one slice is {} {}, another {} {}", Name(whole.dtype),
                       Name(whole.layout), Name(part.dtype), Name(part.layout));
  }
  bool fits = part.shape.size() == whole.shape.size() &&
              axis < part.shape.size() && part.strides.empty();
  for (size_t k = 0; fits && k < part.shape.size(); ++k) {
    fits = k == axis ? part.shape[k] <= INT64_MAX - whole.shape[k]
                     : part.shape[k] == whole.shape[k];
  }
  if (fits) return "";
  return fmt::format("a slice {} does not go behind one of {}",
                     ToText(part.shape), ToText(whole.shape));
}

const AscendTensor* FindOutput(const AscendHeader& header, size_t index) {
  for (const AscendTensor& tensor : header.tensors) {
    if (tensor.list == AscendList::kOutput && tensor.index == index) {
      return &tensor;
    }
  }
  return nullptr;
}

// The originals of the parts, one behind the other along a dimension.
std::optional<Shape> Stacked(const std::vector<Join::Part>& parts,
                             size_t axis) {
  std::optional<Shape> whole;
  for (const Join::Part& part : parts) {
    const auto& original = part.stored.original;
    if (!original || axis >= original->size()) return std::nullopt;
    const int64_t before = whole ? (*whole)[axis] : 0;
    const int64_t more = (*original)[axis];
    if (more < 0 || more > INT64_MAX - before) return std::nullopt;
    Shape sum = *original;
    sum[axis] = before;
    if (whole && sum != *whole) return std::nullopt;
    sum[axis] += more;
    whole = std::move(sum);
  }
  return whole;
}

// No part but the last has padding at the end of this dimension: it would be
// in the middle of the whole.
bool AreFull(const std::vector<Join::Part>& parts, size_t axis) {
  return std::all_of(parts.begin(), parts.end() - 1,
                     [&](const Join::Part& part) {
                       Shape larger = *part.stored.original;
                       if (!CouldHavePacked(part.stored, larger)) return false;
                       ++larger[axis];
                       return !CouldHavePacked(part.stored, larger);
                     });
}

// Which dimension of the original it is that was cut, the layout tells.
std::optional<Shape> PackedOriginal(const Join& join,
                                    const StoredTensor& whole) {
  const auto& first = join.parts.front().stored.original;
  for (size_t k = 0; first && k < first->size(); ++k) {
    auto shape = Stacked(join.parts, k);
    if (shape && AreFull(join.parts, k) && CouldHavePacked(whole, *shape)) {
      return shape;
    }
  }
  return std::nullopt;
}

// The shape of the whole before it was put in a device layout: the header of a
// thread has it; slices that were cut by hand have each their part of it.
std::optional<Shape> WholeOriginal(const Join& join, const StoredTensor& whole,
                                   const AscendTensor* described) {
  if (described != nullptr && described->slice &&
      !described->original.empty()) {
    return described->original;
  }
  if (IsPacked(whole.layout)) return PackedOriginal(join, whole);
  // Only where the axis has the same place in both shapes.
  const auto& first = join.parts.front().stored.original;
  const bool same_axis =
      first && (join.axis == 0 || first->size() == whole.shape.size());
  return same_axis ? Stacked(join.parts, join.axis) : std::nullopt;
}

// Of a type and shape that bytes can be counted for.
bool IsCountable(const StoredTensor& tensor) {
  const auto count = ElementCount(tensor.shape);
  return count && ByteCount(tensor.dtype, *count);
}

ErrorRef Because(std::string what, const std::string& tensor) {
  return std::make_shared<const Error>(
      Corrupt("{}", what)
          .Of(tensor)
          .Hint("are all slices from one run? dump it again"));
}

JoinedTensor JoinOne(std::vector<Slice>& slices, const std::string& name,
                     size_t axis, const AscendTensor* described) {
  auto join = std::make_shared<Join>();
  join->axis = axis;
  JoinedTensor out{.file = slices.front().file};
  for (Slice& slice : slices) {
    StoredTensor* part = Find(slice, name);
    if (part == nullptr) {
      out.error = Because("a slice is without it", name);
    } else if (part->error) {
      out.error = part->error;
    } else if (join->parts.empty()) {
      out.stored = *part;
    } else if (std::string misfit = Misfit(out.stored, *part, axis);
               !misfit.empty()) {
      out.error = Because(std::move(misfit), name);
    } else {
      out.stored.shape[axis] += part->shape[axis];
    }
    if (out.error) break;
    join->parts.push_back({slice.file, std::move(*part)});
  }
  out.stored.name = name;
  out.stored.extent = {};
  if (!out.error && !IsCountable(out.stored)) {
    out.error = Because("the slices together are too large", name);
  }
  if (out.error) {
    out.stored.dtype = DType::kOpaque;
    return out;
  }
  out.stored.original = WholeOriginal(*join, out.stored, described);
  out.join = std::move(join);
  return out;
}

}  // namespace

std::optional<size_t> CutAxis(const AscendSlices& slices, size_t output) {
  if (output >= slices.output_cuts.size()) return std::nullopt;
  const std::vector<int64_t>& cuts = slices.output_cuts[output];
  const auto cut =
      std::ranges::find_if(cuts, [](int64_t parts) { return parts != 1; });
  if (cut == cuts.end()) return std::nullopt;
  return static_cast<size_t>(cut - cuts.begin());
}

bool AnyCut(const AscendSlices& slices) {
  for (size_t i = 0; i < slices.output_cuts.size(); ++i) {
    if (CutAxis(slices, i)) return true;
  }
  return false;
}

std::vector<JoinedTensor> JoinSlices(std::vector<Slice> slices,
                                     const AscendHeader& header) {
  std::vector<JoinedTensor> out;
  std::vector<std::string> names;
  for (const StoredTensor& tensor : slices.front().tensors) {
    names.push_back(tensor.name);
  }
  for (const std::string& name : names) {
    const Slot slot = ParseSlot(name);
    const auto index = static_cast<size_t>(slot.index);
    const auto axis = slot.port == Port::kOutput && header.slices
                          ? CutAxis(*header.slices, index)
                          : std::nullopt;
    if (axis && slices.size() > 1) {
      out.push_back(JoinOne(slices, name, *axis, FindOutput(header, index)));
      continue;
    }
    StoredTensor& first = *Find(slices.front(), name);
    const ErrorRef error = first.error;
    out.push_back({.file = slices.front().file,
                   .stored = std::move(first),
                   .error = error});
    out.back().stored.name = name;
  }
  return out;
}

}  // namespace assay
