#include "kernel/block_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "base/mapped_window.h"
#include "kernel/byte_stream.h"
#include "kernel/gather_blocks.h"
#include "kernel/join_blocks.h"

namespace assay {
namespace {

// Mapped at once: a chunk of float32. Each unmapping interrupts the other CPUs,
// so few large windows beat many small ones.
constexpr uint64_t kWindow = 16 << 20;

// What a side reads at once: larger reads are cheaper, but it has to stay near.
constexpr size_t kReadAtOnce = 512 << 10;

// Plain reads of as many whole blocks as the buffer holds.
class ReadBlocks : public BlockSource {
 public:
  ReadBlocks(const InputFile& file, uint64_t begin, uint64_t end,
             std::span<std::byte> buffer)
      : file_(file),
        next_(begin),
        end_(end),
        buffer_(buffer.first(std::min(kReadAtOnce, buffer.size()))) {}

  Result<const std::byte*> Next(size_t bytes) override {
    if (at_ + bytes > held_) {
      const uint64_t whole = std::max(bytes, buffer_.size() / bytes * bytes);
      held_ = static_cast<size_t>(std::min(whole, end_ - next_));
      RETURN_IF_ERROR(file_.ReadAt(next_, buffer_.first(held_)));
      next_ += held_;
      at_ = 0;
    }
    const std::byte* block = buffer_.data() + at_;
    at_ += bytes;
    return block;
  }
  size_t AtOnce() override { return buffer_.size() & ~size_t{63}; }

 private:
  const InputFile& file_;
  uint64_t next_, end_;
  std::span<std::byte> buffer_;
  size_t at_ = 0, held_ = 0;
};

// Windows of the page cache itself: no copy.
class MapBlocks : public BlockSource {
 public:
  MapBlocks(const InputFile& file, uint64_t begin, uint64_t end)
      : file_(file), next_(begin), end_(end) {}

  Result<const std::byte*> Next(size_t bytes) override {
    if (at_ + bytes > held_) {
      RETURN_IF_ERROR(Finish());
      const uint64_t whole = std::max<uint64_t>(bytes, kWindow / bytes * bytes);
      held_ = static_cast<size_t>(std::min(whole, end_ - next_));
      window_.reset();
      ASSIGN_OR_RETURN(window_, MappedWindow::Map(file_, next_, held_));
      next_ += held_;
      at_ = 0;
    }
    const std::byte* block = window_->data() + at_;
    at_ += bytes;
    return block;
  }

  size_t AtOnce() override { return 4 << 20; }

  // What was read from the last window is good only if it stayed whole.
  Status Finish() override {
    if (window_ && !window_->intact())
      return ShrankWhileRead(file_.path(), next_ - held_);
    return Done{};
  }

 private:
  const InputFile& file_;
  uint64_t next_, end_;
  std::optional<MappedWindow> window_;
  size_t at_ = 0, held_ = 0;
};

class StreamBlocks : public BlockSource {
 public:
  StreamBlocks(std::unique_ptr<ByteStream> stream, std::span<std::byte> buffer)
      : stream_(std::move(stream)), buffer_(buffer) {}

  Result<const std::byte*> Next(size_t bytes) override {
    RETURN_IF_ERROR(stream_->Read(buffer_.first(bytes)));
    return buffer_.data();
  }
  Status Finish() override { return stream_->Finish(); }

 private:
  std::unique_ptr<ByteStream> stream_;
  std::span<std::byte> buffer_;
};

// One part, its elements in order.
Result<std::unique_ptr<BlockSource>> OpenPart(const InputFile& file,
                                              const StoredTensor& tensor,
                                              BlockRange range, ReadMode mode,
                                              std::span<std::byte> buffer) {
  if (tensor.extent.encoding != Encoding::kRaw) {
    ASSIGN_OR_RETURN(auto stream, OpenStream(file, tensor));
    return std::make_unique<StreamBlocks>(std::move(stream), buffer);
  }
  const uint64_t begin = tensor.extent.offset + range.begin;
  const uint64_t end = tensor.extent.offset + range.end;
  if (mode == ReadMode::kMap)
    return std::make_unique<MapBlocks>(file, begin, end);
  return std::make_unique<ReadBlocks>(file, begin, end, buffer);
}

Result<std::unique_ptr<BlockSource>> OpenInOrder(const OpenView& open,
                                                 BlockRange range,
                                                 ReadMode mode,
                                                 std::span<std::byte> buffer) {
  if (open.files.size() > 1) return OpenJoin(open, buffer);
  return OpenPart(open.files.front(), *open.view->parts.front().tensor, range,
                  mode, buffer);
}

// Decoded and joined bytes go through a temporary file before elements can be
// picked from them, so that memory stays bounded.
Result<InputFile> Spill(const OpenView& open, std::span<std::byte> buffer) {
  constexpr uint64_t kPiece = 64 << 10;
  const StoredView& view = *open.view;
  uint64_t left = *ByteCount(view.dtype(), view.map->stored);
  ASSIGN_OR_RETURN(auto blocks,
                   OpenInOrder(open, {0, left}, ReadMode::kRead, buffer));
  return InputFile::Temporary([&](int fd) -> Status {
    while (left > 0) {
      const size_t n = std::min(left, kPiece);
      ASSIGN_OR_RETURN(const std::byte* piece, blocks->Next(n));
      if (write(fd, piece, n) != static_cast<ssize_t>(n)) {
        return IoError("cannot write a temporary file: {}",
                       std::strerror(errno))
            .At(view.parts.front().path);
      }
      left -= n;
    }
    return blocks->Finish();
  });
}

}  // namespace

Result<OpenView> OpenView::Open(const StoredView& view) {
  OpenView open{&view, {}};
  for (const StoredPart& part : view.parts) {
    ASSIGN_OR_RETURN(InputFile file, InputFile::Open(part.path));
    open.files.push_back(std::move(file));
  }
  return open;
}

bool IsSeekable(const StoredView& view) {
  return view.parts.size() == 1 &&
         view.parts.front().tensor->extent.encoding == Encoding::kRaw;
}

Result<std::unique_ptr<BlockSource>> OpenBlocks(const OpenView& open,
                                                BlockRange range, ReadMode mode,
                                                std::span<std::byte> buffer) {
  const StoredView& view = *open.view;
  if (!view.map) return OpenInOrder(open, range, mode, buffer);
  if (IsSeekable(view)) {
    return OpenGather(open.files.front(), Afterwards::kOpen, view,
                      view.parts.front().tensor->extent.offset, range.begin,
                      buffer);
  }
  ASSIGN_OR_RETURN(const InputFile decoded, Spill(open, buffer));
  return OpenGather(decoded, Afterwards::kClosed, view, 0, 0, buffer);
}

}  // namespace assay
