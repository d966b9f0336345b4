#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "core/shape.h"
#include "kernel/hdf5_filters.h"
#include "kernel/hdf5_guard.h"

namespace assay {

// A dataset whose values can be read, and how they are kept. Only under a
// guard.
struct Hdf5Dataset {
  Hdf5Id id, type;
  size_t width = 0;  // bytes of an element
  Shape shape;
  uint64_t stored = 0;             // bytes in the file
  std::optional<uint64_t> offset;  // of values that stand in order
  Shape chunk;                     // empty if they are in one piece
  Hdf5Pipeline pipeline;
  bool plain_edges = false;  // chunks that cross the edge are not encoded

  uint64_t bytes() const { return *ElementCount(shape) * width; }
  // An element that was never written.
  std::string Fill() const;
};

// `id` is an open dataset of a file of `file_size` bytes. Values in other
// files, unknown filters and absurd sizes are errors.
Result<Hdf5Dataset> DescribeHdf5(Hdf5Id id, uint64_t file_size);

}  // namespace assay
