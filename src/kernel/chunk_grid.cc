#include "kernel/chunk_grid.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace assay {
namespace {

// The next index of a box, last dimension fastest; false after the last one.
// Only the first `rank` dimensions move.
bool Advance(const Box& box, const Shape& step, size_t rank, Shape& at) {
  for (size_t k = rank; k-- > 0;) {
    at[k] += step[k];
    if (at[k] < box.end[k]) return true;
    at[k] = box.begin[k];
  }
  return false;
}

// The row-major place of `at` in a block that starts at `begin`.
size_t Place(const Shape& at, const Shape& begin, const Shape& extent) {
  int64_t place = 0;
  for (size_t k = 0; k < at.size(); ++k) {
    place = place * extent[k] + at[k] - begin[k];
  }
  return static_cast<size_t>(place);
}

Shape Extent(const Box& box) {
  Shape extent(box.begin.size());
  for (size_t k = 0; k < extent.size(); ++k) {
    extent[k] = box.end[k] - box.begin[k];
  }
  return extent;
}

}  // namespace

ChunkGrid::ChunkGrid(Shape shape, Shape chunk, size_t width, size_t limit)
    : shape_(std::move(shape)),
      chunk_(std::move(chunk)),
      width_(width),
      at_(shape_.size(), 0) {
  uint64_t inner = width;  // bytes of one index along the axis
  for (axis_ = shape_.size() - 1; axis_ > 0; --axis_) {
    const auto dim = static_cast<uint64_t>(shape_[axis_]);
    if (dim > limit / inner) break;
    inner *= dim;
  }
  const int64_t dim = shape_[axis_];
  step_ = std::clamp<int64_t>(static_cast<int64_t>(limit / inner), 1, dim);
  // Whole chunks, so that none is decoded twice.
  if (step_ < dim && step_ > chunk_[axis_]) step_ -= step_ % chunk_[axis_];
}

bool ChunkGrid::NextSlab(Box& slab) {
  if (done_) return false;
  slab = {at_, shape_};
  for (size_t k = 0; k < axis_; ++k) slab.end[k] = at_[k] + 1;
  slab.end[axis_] = std::min(shape_[axis_], at_[axis_] + step_);
  Shape step(shape_.size(), 1);
  step[axis_] = step_;
  const Box all = {Shape(shape_.size(), 0), shape_};
  done_ = !Advance(all, step, axis_ + 1, at_);
  return true;
}

bool ChunkGrid::CutsChunks() const {
  for (size_t k = 0; k < axis_; ++k) {
    if (std::min(chunk_[k], shape_[k]) > 1) return true;
  }
  return step_ < shape_[axis_] && step_ % chunk_[axis_] != 0;
}

size_t ChunkGrid::Bytes(const Box& box) const {
  return *ElementCount(Extent(box)) * width_;
}

Status ChunkGrid::ForEachChunk(
    const Box& slab, const std::function<Status(const Shape&)>& visit) const {
  Box box = slab;
  for (size_t k = 0; k < chunk_.size(); ++k) {
    box.begin[k] -= box.begin[k] % chunk_[k];
  }
  Shape at = box.begin;
  do {
    RETURN_IF_ERROR(visit(at));
  } while (Advance(box, chunk_, chunk_.size(), at));
  return Done{};
}

void ChunkGrid::Copy(const std::byte* chunk, const Shape& origin,
                     const Box& slab, std::byte* out) const {
  Box shared = slab;
  for (size_t k = 0; k < chunk_.size(); ++k) {
    shared.begin[k] = std::max(slab.begin[k], origin[k]);
    shared.end[k] = std::min(slab.end[k], origin[k] + chunk_[k]);
  }
  const Shape extent = Extent(slab), ones(chunk_.size(), 1);
  const size_t run = Extent(shared).back() * width_;
  Shape at = shared.begin;
  do {
    std::memcpy(out + Place(at, slab.begin, extent) * width_,
                chunk + Place(at, origin, chunk_) * width_, run);
  } while (Advance(shared, ones, chunk_.size() - 1, at));
}

}  // namespace assay
