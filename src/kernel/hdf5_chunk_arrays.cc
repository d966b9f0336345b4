#include "kernel/hdf5_chunk_arrays.h"

#include <algorithm>

#include "kernel/hdf5_chunk_array.h"

namespace assay {

bool BitAt(std::string_view bits, uint64_t i) {
  return i / 8 < bits.size() &&
         (static_cast<uint8_t>(bits[i / 8]) >> (7 - i % 8) & 1) != 0;
}

Status ChunkArray::Visit(std::string_view elements, uint64_t first) {
  for (uint64_t i = 0; (i + 1) * width_ <= elements.size(); ++i) {
    RETURN_IF_ERROR(visit_(first + i, elements.substr(i * width_, width_)));
  }
  return Done{};
}

Status ChunkArray::VisitBlock(uint64_t address, std::string_view letters,
                              uint64_t prefix, uint64_t count, uint64_t first) {
  if (count > file_.input().size()) {
    return file_.Damaged(address, "more chunks than the file can hold");
  }
  const uint64_t length = count * width_;
  ASSIGN_OR_RETURN(
      const std::string block,
      file_.ReadChecked(address, prefix + length + kSumBytes, letters));
  return Visit(std::string_view(block).substr(prefix, length), first);
}

ElementOrder::ElementOrder(const Hdf5Dataset& set) {
  for (size_t k = 0; k < set.chunk.size(); ++k) {
    const uint64_t most = set.space.most[k];
    const auto chunk = static_cast<uint64_t>(set.chunk[k]);
    if (most == kHdf5Unlimited) {
      axes_.insert(axes_.begin(), {.dimension = k, .count = most});
    } else {
      axes_.push_back(
          {.dimension = k,
           .count = std::max<uint64_t>(1, most / chunk + (most % chunk != 0))});
    }
  }
  for (size_t i = axes_.size() - 1; i > 0; --i) {
    overflow_ |= __builtin_mul_overflow(axes_[i].below, axes_[i].count,
                                        &axes_[i - 1].below);
  }
}

std::optional<uint64_t> ElementOrder::Count() const {
  uint64_t count = 0;
  if (overflow_ || __builtin_mul_overflow(axes_.front().below,
                                          axes_.front().count, &count)) {
    return std::nullopt;
  }
  return count;
}

std::vector<uint64_t> ElementOrder::Coordinates(uint64_t index) const {
  std::vector<uint64_t> at(axes_.size());
  for (const Axis& axis : axes_) {
    if (overflow_ || axis.below == 0)
      return std::vector(at.size(), ~uint64_t{0});
    at[axis.dimension] = index / axis.below;
    index %= axis.below;
  }
  return at;
}

Status ForEachArrayElement(const Hdf5File& file, const Hdf5Dataset& set,
                           const VisitElement& visit) {
  return set.index == Hdf5Index::kFixedArray
             ? ForEachInFixedArray(file, set.index_address, visit)
             : ForEachInExtensibleArray(file, set.index_address, visit);
}

}  // namespace assay
