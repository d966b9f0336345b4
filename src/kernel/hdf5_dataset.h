#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/hdf5_header.h"
#include "core/shape.h"
#include "kernel/hdf5_filters.h"

namespace assay {

struct Hdf5Space {
  Shape shape;                 // [0] where there is nothing at all
  std::vector<uint64_t> most;  // how far each dimension may grow
};
inline constexpr uint64_t kHdf5Unlimited = ~uint64_t{0};

// How the places of chunks are kept.
enum class Hdf5Index : uint8_t {
  kOldTree = 0,
  kSingle = 1,           // there is one chunk
  kImplicit = 2,         // chunk after chunk
  kFixedArray = 3,       // dimensions have limits
  kExtensibleArray = 4,  // one has none
  kNewTree = 5,          // several have none
};

// A dataset and how its values are kept.
struct Hdf5Dataset {
  Hdf5Space space;
  size_t width = 0;  // bytes of an element
  std::string fill;  // an element that was never written; empty for zeros
  std::optional<uint64_t> offset;  // in the file, of values in one piece

  // Of values in chunks; without chunks and offset, nothing was written.
  Shape chunk;
  Hdf5Pipeline pipeline;
  bool plain_edges = false;  // chunks that cross an edge are not encoded
  Hdf5Index index = Hdf5Index::kOldTree;
  uint64_t index_address = kHdf5Nowhere;
  uint64_t single_bytes = 0;    // kSingle: as stored
  uint32_t single_skipped = 0;  // kSingle: steps that were left out

  const Shape& shape() const { return space.shape; }
  uint64_t bytes() const { return *ElementCount(shape()) * width; }
};

// Values in other files, unknown filters and absurd sizes are errors.
Result<Hdf5Dataset> DescribeHdf5(const Hdf5File& file,
                                 const Hdf5Header& header);

Result<Hdf5Space> ParseHdf5Space(const Hdf5File& file, std::string_view bytes,
                                 uint64_t address);

}  // namespace assay
