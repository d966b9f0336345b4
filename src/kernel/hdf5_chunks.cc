#include "kernel/hdf5_chunks.h"

#include <algorithm>

#include "base/hdf5_tree.h"
#include "kernel/hdf5_chunk_arrays.h"

namespace assay {
namespace {

constexpr uint64_t kCoordinate = 8;  // bytes of one, whatever the file's width

// A chunk by its coordinates; one outside the shape was cut off.
void Add(const Hdf5Dataset& set, const Shape& counts,
         const std::vector<uint64_t>& at, Hdf5Chunk chunk,
         std::vector<Hdf5Chunk>& chunks) {
  if (chunk.address == kHdf5Nowhere) return;
  chunk.number = 0;
  for (size_t k = 0; k < set.chunk.size(); ++k) {
    const auto count = static_cast<uint64_t>(counts[k]);
    if (at[k] >= count) return;
    chunk.number = chunk.number * count + at[k];
  }
  chunks.push_back(chunk);
}

// Keys: size, steps left out, coordinates of the first element, and a zero.
Status AddOldTree(const Hdf5File& file, const Hdf5Dataset& set,
                  std::vector<Hdf5Chunk>& chunks) {
  const size_t rank = set.chunk.size();
  const Shape counts = ChunkCounts(set);
  return ForEachInOldTree(
      file, set.index_address, 1, 8 + kCoordinate * (rank + 1),
      [&](std::string_view key, uint64_t address) -> Status {
        Hdf5Fields in(file, key, set.index_address);
        Hdf5Chunk chunk{.address = address};
        chunk.bytes = in.U32("chunk size");
        chunk.skipped = in.U32("filters left out");
        std::vector<uint64_t> at(rank);
        for (size_t k = 0; k < rank; ++k) {
          at[k] = in.U64("coordinate") / static_cast<uint64_t>(set.chunk[k]);
        }
        Add(set, counts, at, chunk, chunks);
        return Done{};
      });
}

// Records: address, if encoded size and steps left out, coordinates in chunks.
Status AddNewTree(const Hdf5File& file, const Hdf5Dataset& set,
                  std::vector<Hdf5Chunk>& chunks) {
  const size_t rank = set.chunk.size();
  const Shape counts = ChunkCounts(set);
  const bool encoded = !set.pipeline.steps.empty();
  const uint64_t fixed =
      file.address_bytes() + kCoordinate * rank + (encoded ? 4 : 0);
  return ForEachInNewTree(
      file, set.index_address, encoded ? 11 : 10,
      [&](std::string_view record) -> Status {
        if (record.size() < fixed || record.size() > fixed + 8) {
          return file.Damaged(set.index_address, "these are no chunks");
        }
        Hdf5Fields in(file, record, set.index_address);
        Hdf5Chunk chunk{.address = in.Address("chunk")};
        chunk.bytes = encoded ? in.Number(record.size() - fixed, "chunk size")
                              : set.pipeline.chunk;
        if (encoded) chunk.skipped = in.U32("filters left out");
        std::vector<uint64_t> at(rank);
        for (uint64_t& coordinate : at) coordinate = in.U64("coordinate");
        Add(set, counts, at, chunk, chunks);
        return Done{};
      });
}

Status AddElements(const Hdf5File& file, const Hdf5Dataset& set,
                   std::vector<Hdf5Chunk>& chunks) {
  const Shape counts = ChunkCounts(set);
  const ElementOrder order(set);
  const bool encoded = !set.pipeline.steps.empty();
  return ForEachArrayElement(
      file, set, [&](uint64_t index, std::string_view element) -> Status {
        Hdf5Fields in(file, element, set.index_address);
        Hdf5Chunk chunk{.address = in.Address("chunk"),
                        .bytes = set.pipeline.chunk};
        if (encoded) {
          const uint64_t fixed = file.address_bytes() + 4;
          if (element.size() < fixed || element.size() > fixed + 8) {
            return file.Damaged(set.index_address, "these are no chunks");
          }
          chunk.bytes = in.Number(element.size() - fixed, "chunk size");
          chunk.skipped = in.U32("filters left out");
        }
        if (!in.ok()) return in.error();
        Add(set, counts, order.Coordinates(index), chunk, chunks);
        return Done{};
      });
}

// Every chunk has its place, written or not.
Status AddImplicit(const Hdf5File& file, const Hdf5Dataset& set,
                   std::vector<Hdf5Chunk>& chunks) {
  const Shape counts = ChunkCounts(set);
  const ElementOrder order(set);
  const uint64_t room = file.input().size() / set.pipeline.chunk;
  const auto count = order.Count();
  if (!count || *count > room) {
    return file.Damaged(set.index_address, "not all chunks are in the file");
  }
  for (uint64_t i = 0; i < *count; ++i) {
    const Hdf5Chunk chunk{.address = set.index_address + i * set.pipeline.chunk,
                          .bytes = set.pipeline.chunk};
    Add(set, counts, order.Coordinates(i), chunk, chunks);
  }
  return Done{};
}

Status AddAll(const Hdf5File& file, const Hdf5Dataset& set,
              std::vector<Hdf5Chunk>& chunks) {
  switch (set.index) {
    case Hdf5Index::kOldTree:
      return AddOldTree(file, set, chunks);
    case Hdf5Index::kSingle:
      chunks.push_back({.number = 0,
                        .address = set.index_address,
                        .bytes = set.single_bytes,
                        .skipped = set.single_skipped});
      return Done{};
    case Hdf5Index::kImplicit:
      return AddImplicit(file, set, chunks);
    case Hdf5Index::kFixedArray:
    case Hdf5Index::kExtensibleArray:
      return AddElements(file, set, chunks);
    case Hdf5Index::kNewTree:
      return AddNewTree(file, set, chunks);
  }
  return Internal("no such index");
}

}  // namespace

Shape ChunkCounts(const Hdf5Dataset& set) {
  Shape counts(set.chunk.size());
  for (size_t k = 0; k < counts.size(); ++k) {
    const int64_t dim = set.shape()[k];
    counts[k] = dim / set.chunk[k] + (dim % set.chunk[k] != 0);
  }
  return counts;
}

Result<std::vector<Hdf5Chunk>> ListHdf5Chunks(const Hdf5File& file,
                                              const Hdf5Dataset& set) {
  std::vector<Hdf5Chunk> chunks;
  if (set.index_address == kHdf5Nowhere || set.bytes() == 0) return chunks;
  RETURN_IF_ERROR(AddAll(file, set, chunks));
  std::ranges::sort(chunks, {}, &Hdf5Chunk::number);
  const auto twice = std::ranges::adjacent_find(chunks, {}, &Hdf5Chunk::number);
  if (twice != chunks.end()) {
    return file.Damaged(set.index_address, "a chunk has two places");
  }
  return chunks;
}

}  // namespace assay
