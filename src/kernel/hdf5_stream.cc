#include "kernel/hdf5_stream.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kernel/chunk_grid.h"
#include "kernel/hdf5_dataset.h"

namespace assay {
namespace {

constexpr size_t kSlab = 16 << 20;

std::string Repeated(const std::string& element, size_t bytes) {
  std::string out;
  out.reserve(bytes);
  while (out.size() < bytes) out += element;
  return out;
}

std::vector<hsize_t> Sizes(const Shape& shape) {
  return {shape.begin(), shape.end()};
}

// A grid needs a dimension, and nothing empty is ever read.
ChunkGrid GridOf(const Hdf5Dataset& set) {
  const bool flat = set.shape.empty() || set.bytes() == 0;
  const Shape shape = flat ? Shape{1} : set.shape;
  return {shape, set.chunk.empty() ? shape : set.chunk, set.width, kSlab};
}

class Hdf5Stream : public ByteStream {
 public:
  Hdf5Stream(const InputFile& input, Hdf5Id file, Hdf5Dataset set)
      : input_(input),
        file_(std::move(file)),
        set_(std::move(set)),
        fill_(set_.Fill()),
        grid_(GridOf(set_)) {}
  ~Hdf5Stream() override {
    const Hdf5Guard guard;
    set_ = Hdf5Dataset{};
    file_ = Hdf5Id{};
  }
  Hdf5Stream(const Hdf5Stream&) = delete;
  Hdf5Stream& operator=(const Hdf5Stream&) = delete;

  Status Read(std::span<std::byte> out) override {
    while (!out.empty()) {
      if (at_ == slab_.size()) RETURN_IF_ERROR(NextSlab());
      const size_t n = std::min(out.size(), slab_.size() - at_);
      std::memcpy(out.data(), slab_.data() + at_, n);
      at_ += n;
      out = out.subspan(n);
    }
    return Done{};
  }

 private:
  Status NextSlab() {
    Box box;
    if (!grid_.NextSlab(box)) return Internal("no values are left");
    slab_.assign(grid_.Bytes(box), '\0');
    at_ = 0;
    Status status = set_.pipeline.steps.empty() ? ReadSlab(box) : Decode(box);
    if (!status) return std::move(status).error().At(input_.path());
    return status;
  }

  // The library copies what is not encoded.
  Status ReadSlab(const Box& box) {
    const Hdf5Guard guard;
    Hdf5Id here(H5Screate(H5S_SCALAR)), there(H5Screate(H5S_SCALAR));
    if (!set_.shape.empty()) {
      const std::vector<hsize_t> begin = Sizes(box.begin);
      std::vector<hsize_t> extent = Sizes(box.end);
      for (size_t k = 0; k < extent.size(); ++k) extent[k] -= begin[k];
      const int rank = static_cast<int>(extent.size());
      here = Hdf5Id(H5Screate_simple(rank, extent.data(), nullptr));
      there = Hdf5Id(H5Dget_space(set_.id.get()));
      H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, begin.data(), nullptr,
                          extent.data(), nullptr);
    }
    if (H5Dread(set_.id.get(), set_.type.get(), here.get(), there.get(),
                H5P_DEFAULT, slab_.data()) < 0) {
      return Hdf5Error({});
    }
    return Done{};
  }

  // The library would trust the sizes that encoded chunks claim: we do not.
  Status Decode(const Box& box) {
    return grid_.ForEachChunk(box, [&](const Shape& origin) -> Status {
      ASSIGN_OR_RETURN(const std::string chunk, Chunk(origin));
      grid_.Copy(reinterpret_cast<const std::byte*>(chunk.data()), origin, box,
                 reinterpret_cast<std::byte*>(slab_.data()));
      return Done{};
    });
  }

  Result<std::string> Chunk(const Shape& origin) {
    uint32_t skipped = 0;
    ASSIGN_OR_RETURN(std::string stored, Stored(origin, skipped));
    if (stored.empty()) return Repeated(fill_, set_.pipeline.chunk);
    if (set_.plain_edges && CrossesEdge(origin)) skipped = ~uint32_t{0};
    return DecodeHdf5Chunk(std::move(stored), set_.pipeline, skipped);
  }

  bool CrossesEdge(const Shape& origin) const {
    for (size_t k = 0; k < origin.size(); ++k) {
      if (origin[k] + set_.chunk[k] > set_.shape[k]) return true;
    }
    return false;
  }

  // Empty for a chunk that was never written.
  Result<std::string> Stored(const Shape& origin, uint32_t& skipped) {
    const Hdf5Guard guard;
    const std::vector<hsize_t> at = Sizes(origin);
    hsize_t bytes = 0;
    if (H5Dget_chunk_storage_size(set_.id.get(), at.data(), &bytes) < 0) {
      Error error = Hdf5Error({});
      if (error.what.ends_with("chunk storage is not allocated")) return "";
      return error;
    }
    // What does not compress grows, but not by much.
    const uint64_t most = 2 * set_.pipeline.chunk + 4096;
    if (bytes > most || bytes > input_.size()) {
      return Corrupt("a chunk takes {} bytes, {} after decoding", bytes,
                     set_.pipeline.chunk);
    }
    std::string stored(bytes, '\0');
    if (bytes > 0 && H5Dread_chunk(set_.id.get(), H5P_DEFAULT, at.data(),
                                   &skipped, stored.data()) < 0) {
      return Hdf5Error({});
    }
    return stored;
  }

  const InputFile& input_;
  Hdf5Id file_;
  Hdf5Dataset set_;
  std::string fill_;
  ChunkGrid grid_;
  std::string slab_;
  size_t at_ = 0;
};

// Without a cache of chunks, the library reads just the values it is asked for.
Result<Hdf5Id> OpenUncached(const Hdf5Id& file, const std::string& name) {
  const Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.get(), 0, 0, 0);
  Hdf5Id id(H5Dopen2(file.get(), name.c_str(), access.get()));
  if (!id.ok()) return Hdf5Error({});
  return id;
}

Result<std::unique_ptr<ByteStream>> Open(const InputFile& input,
                                         const StoredTensor& tensor) {
  const Hdf5Guard guard;
  ASSIGN_OR_RETURN(Hdf5Id file, OpenHdf5(input));
  ASSIGN_OR_RETURN(Hdf5Id id, OpenUncached(file, tensor.name));
  ASSIGN_OR_RETURN(Hdf5Dataset set, DescribeHdf5(std::move(id), input.size()));
  if (set.shape != tensor.shape || set.width != Info(tensor.dtype).bits / 8u) {
    return Corrupt("the dataset is not what it was")
        .Hint("was the file replaced while it was read?");
  }
  return std::make_unique<Hdf5Stream>(input, std::move(file), std::move(set));
}

}  // namespace

Result<std::unique_ptr<ByteStream>> OpenHdf5Stream(const InputFile& file,
                                                   const StoredTensor& tensor) {
  auto stream = Open(file, tensor);
  if (!stream) return std::move(stream).error().At(file.path()).Of(tensor.name);
  return stream;
}

}  // namespace assay
