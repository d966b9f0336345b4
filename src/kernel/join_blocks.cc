#include "kernel/join_blocks.h"

#include <algorithm>
#include <cstring>

#include "kernel/byte_stream.h"

namespace assay {
namespace {

// Room for one block of the widest type behind the parts' own.
constexpr size_t kJoined = 64 << 10;

// Raw bytes, read ahead as far as the buffer holds.
class RawStream : public ByteStream {
 public:
  RawStream(const InputFile& file, const Extent& extent,
            std::span<std::byte> buffer)
      : file_(file),
        next_(extent.offset),
        end_(extent.offset + extent.length),
        buffer_(buffer) {}

  Status Read(std::span<std::byte> out) override {
    while (!out.empty()) {
      if (at_ == held_) RETURN_IF_ERROR(Fill());
      const size_t n = std::min(out.size(), held_ - at_);
      std::memcpy(out.data(), buffer_.data() + at_, n);
      out = out.subspan(n);
      at_ += n;
    }
    return Done{};
  }

 private:
  Status Fill() {
    held_ = std::min<uint64_t>(buffer_.size(), end_ - next_);
    at_ = 0;
    if (held_ == 0) {
      return Corrupt("the slice ends early").At(file_.path(), end_);
    }
    RETURN_IF_ERROR(file_.ReadAt(next_, buffer_.first(held_)));
    next_ += held_;
    return Done{};
  }

  const InputFile& file_;
  uint64_t next_, end_;
  std::span<std::byte> buffer_;
  size_t at_ = 0, held_ = 0;
};

struct Slice {
  std::unique_ptr<ByteStream> bytes;
  uint64_t run = 0;  // bytes of one turn
};

// A run of each slice in turn.
class JoinBlocks : public BlockSource {
 public:
  JoinBlocks(std::vector<Slice> slices, std::span<std::byte> out)
      : slices_(std::move(slices)), left_(slices_.front().run), out_(out) {}

  Result<const std::byte*> Next(size_t bytes) override {
    for (size_t done = 0; done < bytes;) {
      while (left_ == 0) {
        at_ = (at_ + 1) % slices_.size();
        left_ = slices_[at_].run;
      }
      const size_t n = std::min<uint64_t>(bytes - done, left_);
      RETURN_IF_ERROR(slices_[at_].bytes->Read(out_.subspan(done, n)));
      done += n;
      left_ -= n;
    }
    return out_.data();
  }

  Status Finish() override {
    for (Slice& slice : slices_) RETURN_IF_ERROR(slice.bytes->Finish());
    return Done{};
  }

 private:
  std::vector<Slice> slices_;
  size_t at_ = 0;
  uint64_t left_;  // of this turn
  std::span<std::byte> out_;
};

// The extents from the joined axis on.
uint64_t RunOf(const StoredTensor& tensor, size_t axis) {
  const std::span<const int64_t> shape = tensor.shape;
  const uint64_t elements = *ElementCount(shape.subspan(axis));
  return elements * Info(tensor.dtype).bits / 8;
}

}  // namespace

Result<std::unique_ptr<BlockSource>> OpenJoin(const OpenView& open,
                                              std::span<std::byte> buffer) {
  constexpr size_t kLeast = 512;
  const StoredView& view = *open.view;
  const size_t share =
      (buffer.size() - std::min(kJoined, buffer.size())) / view.parts.size();
  if (share < kLeast || Info(view.dtype()).bits < 8) {
    return Unsupported("{} slices of {} cannot be joined", view.parts.size(),
                       Name(view.dtype()))
        .At(view.parts.front().path);
  }
  std::vector<Slice> slices;
  for (size_t i = 0; i < view.parts.size(); ++i) {
    const StoredTensor& tensor = *view.parts[i].tensor;
    std::unique_ptr<ByteStream> bytes;
    if (tensor.extent.encoding == Encoding::kRaw) {
      bytes = std::make_unique<RawStream>(open.files[i], tensor.extent,
                                          buffer.subspan(i * share, share));
    } else {
      ASSIGN_OR_RETURN(bytes, OpenStream(open.files[i], tensor));
    }
    slices.push_back({std::move(bytes), RunOf(tensor, view.axis)});
  }
  return std::make_unique<JoinBlocks>(std::move(slices), buffer.last(kJoined));
}

}  // namespace assay
