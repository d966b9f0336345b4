#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace assay {

enum class Hdf5Filter : uint8_t { kDeflate = 1, kShuffle = 2, kFletcher32 = 3 };

// How the chunks of a dataset were encoded, first step first.
struct Hdf5Pipeline {
  struct Step {
    Hdf5Filter filter;
    uint32_t width = 1;  // kShuffle: bytes of an element
  };
  std::vector<Step> steps;
  uint64_t chunk = 0;  // bytes of every decoded chunk
};

// Turns a stored chunk into its values. Bit i of `skipped` says that step i was
// left out for this chunk. No more memory is taken than a chunk needs.
Result<std::string> DecodeHdf5Chunk(std::string stored,
                                    const Hdf5Pipeline& pipeline,
                                    uint32_t skipped);

}  // namespace assay
