#pragma once

#include <cstdint>
#include <vector>

#include "kernel/hdf5_dataset.h"

namespace assay {

// A chunk that was written.
struct Hdf5Chunk {
  uint64_t number = 0;  // row-major place among the chunks of the dataset
  uint64_t address = 0;
  uint64_t bytes = 0;    // as stored
  uint32_t skipped = 0;  // steps that were left out, as bits
};

// All chunks that were written, by number.
Result<std::vector<Hdf5Chunk>> ListHdf5Chunks(const Hdf5File& file,
                                              const Hdf5Dataset& set);

// How many chunks stand side by side, per dimension.
Shape ChunkCounts(const Hdf5Dataset& set);

}  // namespace assay
