#include "kernel/hdf5_stream.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kernel/chunk_grid.h"
#include "kernel/hdf5_chunks.h"
#include "kernel/kept_chunks.h"

namespace assay {
namespace {

constexpr size_t kSlab = 16 << 20;
constexpr size_t kKept = 128 << 20;  // of chunks that several slabs share

std::string Repeated(const std::string& element, size_t bytes) {
  std::string out;
  out.reserve(bytes);
  while (out.size() < bytes) out += element;
  return out;
}

// What was never written is handed out as chunks that are not there.
ChunkGrid GridOf(const Hdf5Dataset& set) {
  const bool flat = set.shape().empty() || set.bytes() == 0;
  const Shape shape = flat ? Shape{1} : set.shape();
  return {shape, set.chunk.empty() ? Shape(shape.size(), 1) : set.chunk,
          set.width, kSlab};
}

class Hdf5Stream : public ByteStream {
 public:
  Hdf5Stream(const Hdf5File& file, Hdf5Dataset set,
             std::vector<Hdf5Chunk> chunks)
      : file_(file),
        set_(std::move(set)),
        fill_(set_.fill.empty() ? std::string(set_.width, '\0') : set_.fill),
        counts_(ChunkCounts(set_)),
        chunks_(std::move(chunks)),
        grid_(GridOf(set_)),
        kept_(grid_.CutsChunks() ? kKept : 0) {}

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
    slab_ = Repeated(fill_, grid_.Bytes(box));
    at_ = 0;
    if (chunks_.empty()) return Done{};
    return grid_.ForEachChunk(box, [&](const Shape& origin) -> Status {
      const Hdf5Chunk* const chunk = Find(origin);
      if (chunk == nullptr) return Done{};
      ASSIGN_OR_RETURN(const std::string* values, ValuesOf(*chunk, origin));
      grid_.Copy(reinterpret_cast<const std::byte*>(values->data()), origin,
                 box, reinterpret_cast<std::byte*>(slab_.data()));
      return Done{};
    });
  }

  Result<const std::string*> ValuesOf(const Hdf5Chunk& chunk,
                                      const Shape& origin) {
    if (const std::string* kept = kept_.Find(chunk.number)) return kept;
    kept_.MakeRoom(set_.pipeline.chunk);
    auto values = Decode(chunk, origin);
    if (!values) {
      return std::move(values).error().At(file_.input().path(),
                                          file_.Offset(chunk.address));
    }
    return &kept_.Keep(chunk.number, *std::move(values));
  }

  const Hdf5Chunk* Find(const Shape& origin) const {
    uint64_t number = 0;
    for (size_t k = 0; k < origin.size(); ++k) {
      number = number * static_cast<uint64_t>(counts_[k]) +
               static_cast<uint64_t>(origin[k] / set_.chunk[k]);
    }
    const auto found =
        std::ranges::lower_bound(chunks_, number, {}, &Hdf5Chunk::number);
    return found != chunks_.end() && found->number == number ? &*found
                                                             : nullptr;
  }

  Result<std::string> Decode(const Hdf5Chunk& chunk, const Shape& origin) {
    // What does not compress grows, but not by much.
    if (chunk.bytes > 2 * set_.pipeline.chunk + 4096) {
      return Corrupt("a chunk takes {} bytes, {} after decoding", chunk.bytes,
                     set_.pipeline.chunk);
    }
    ASSIGN_OR_RETURN(std::string stored,
                     file_.Read(chunk.address, chunk.bytes));
    const bool plain = set_.plain_edges && CrossesEdge(origin);
    return DecodeHdf5Chunk(std::move(stored), set_.pipeline,
                           plain ? ~uint32_t{0} : chunk.skipped);
  }

  bool CrossesEdge(const Shape& origin) const {
    for (size_t k = 0; k < origin.size(); ++k) {
      if (set_.shape()[k] - origin[k] < set_.chunk[k]) return true;
    }
    return false;
  }

  const Hdf5File file_;
  const Hdf5Dataset set_;
  const std::string fill_;
  const Shape counts_;
  const std::vector<Hdf5Chunk> chunks_;
  ChunkGrid grid_;
  KeptChunks kept_;
  std::string slab_;
  size_t at_ = 0;
};

Result<std::unique_ptr<ByteStream>> Open(const InputFile& input,
                                         const StoredTensor& tensor) {
  ASSIGN_OR_RETURN(const Hdf5File file, Hdf5File::Open(input));
  const uint64_t address = tensor.extent.offset - file.Offset(0);
  ASSIGN_OR_RETURN(const Hdf5Header header, ReadHdf5Header(file, address));
  ASSIGN_OR_RETURN(Hdf5Dataset set, DescribeHdf5(file, header));
  if (set.shape() != tensor.shape ||
      set.width != Info(tensor.dtype).bits / 8u || set.offset) {
    return Corrupt("the dataset is not what it was")
        .At(input.path(), tensor.extent.offset)
        .Hint("was the file replaced while it was read?");
  }
  ASSIGN_OR_RETURN(std::vector<Hdf5Chunk> chunks, ListHdf5Chunks(file, set));
  return std::make_unique<Hdf5Stream>(file, std::move(set), std::move(chunks));
}

}  // namespace

Result<std::unique_ptr<ByteStream>> OpenHdf5Stream(const InputFile& file,
                                                   const StoredTensor& tensor) {
  auto stream = Open(file, tensor);
  if (stream) return stream;
  Error error = std::move(stream).error();
  error.tensor = tensor.name;
  if (error.file.empty()) error.file = file.path();
  return error;
}

}  // namespace assay
