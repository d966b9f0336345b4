#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "kernel/hdf5_dataset.h"

namespace assay {

// Which chunk an element of an array of chunks stands for. Chunks count
// row-major in the largest shape the dataset may have; a dimension without a
// limit counts as the outermost.
class ElementOrder {
 public:
  explicit ElementOrder(const Hdf5Dataset& set);

  // Of all chunks; nothing if they are more than a number holds.
  std::optional<uint64_t> Count() const;
  // In chunks, per dimension.
  std::vector<uint64_t> Coordinates(uint64_t index) const;

 private:
  struct Axis {
    size_t dimension = 0;
    uint64_t count = 0;
    uint64_t below = 1;  // chunks per step
  };
  std::vector<Axis> axes_;  // outermost first
  bool overflow_ = false;
};

// Calls `visit` with the elements of a fixed or an extensible array, those of
// chunks that were never written not always.
using VisitElement =
    std::function<Status(uint64_t index, std::string_view element)>;
Status ForEachArrayElement(const Hdf5File& file, const Hdf5Dataset& set,
                           const VisitElement& visit);

}  // namespace assay
