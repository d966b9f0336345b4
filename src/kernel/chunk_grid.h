#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/result.h"
#include "core/shape.h"

namespace assay {

// A part of a tensor: indices [begin, end) of every dimension.
struct Box {
  Shape begin, end;
};

// A tensor cut into chunks of equal shape, those at the edges padded. Hands it
// out again in row-major order, slab by slab.
class ChunkGrid {
 public:
  // `width`: bytes of an element. A slab takes at most `limit` bytes, or one
  // element. No dimension of either shape is 0.
  ChunkGrid(Shape shape, Shape chunk, size_t width, size_t limit);

  // The next part of the tensor that is contiguous in row-major order; false
  // when all was handed out.
  bool NextSlab(Box& slab);
  size_t Bytes(const Box& box) const;
  // Whether a chunk shares elements with more than one slab.
  bool CutsChunks() const;

  // Calls `visit` with the first element of every chunk that shares elements
  // with `slab`.
  Status ForEachChunk(const Box& slab,
                      const std::function<Status(const Shape&)>& visit) const;
  // Copies what the chunk at `origin` shares with `slab` to its place there.
  void Copy(const std::byte* chunk, const Shape& origin, const Box& slab,
            std::byte* out) const;

 private:
  Shape shape_, chunk_;
  size_t width_;
  size_t axis_ = 0;   // slabs are cut along this dimension
  int64_t step_ = 1;  // that far
  Shape at_;
  bool done_ = false;
};

}  // namespace assay
