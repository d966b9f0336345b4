#include "kernel/block_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "base/mapped_window.h"
#include "kernel/byte_stream.h"
#include "kernel/column_major.h"

namespace assay {
namespace {

// Mapped at once: a chunk of float32. Each unmapping interrupts the other CPUs,
// so few large windows beat many small ones.
constexpr uint64_t kWindow = 16 << 20;

Error Shrank(const std::string& path, uint64_t offset) {
  return Corrupt("the file shrank while it was read")
      .At(path, offset)
      .Hint("is the dump still being written?");
}

// Plain reads of as many whole blocks as the buffer holds.
class ReadBlocks : public BlockSource {
 public:
  ReadBlocks(const InputFile& file, uint64_t begin, uint64_t end,
             std::span<std::byte> buffer)
      : file_(file), next_(begin), end_(end), buffer_(buffer) {}

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
      ASSIGN_OR_RETURN(window_, MappedWindow::Map(file_, next_, held_,
                                                  MappedWindow::Fill::kNow));
      next_ += held_;
      at_ = 0;
    }
    const std::byte* block = window_->data() + at_;
    at_ += bytes;
    return block;
  }

  // What was read from the last window is good only if it stayed whole.
  Status Finish() override {
    if (window_ && !window_->intact())
      return Shrank(file_.path(), next_ - held_);
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

// A column-major tensor, picked together from a mapping of all of it.
class GatherBlocks : public BlockSource {
 public:
  GatherBlocks(const InputFile& file, const StoredTensor& tensor,
               MappedWindow whole, uint64_t begin, std::span<std::byte> buffer)
      : path_(file.path()),
        offset_(tensor.extent.offset),
        whole_(std::move(whole)),
        width_(Info(tensor.dtype).bits / 8),
        walk_(tensor.shape, begin / width_),
        buffer_(buffer) {}

  Result<const std::byte*> Next(size_t bytes) override {
    walk_.Gather(whole_.data(), width_, bytes / width_, buffer_.data());
    return buffer_.data();
  }
  Status Finish() override {
    if (!whole_.intact()) return Shrank(path_, offset_);
    return Done{};
  }

 private:
  std::string path_;
  uint64_t offset_;
  MappedWindow whole_;
  size_t width_;
  ColumnMajorWalk walk_;
  std::span<std::byte> buffer_;
};

// `file` holds the decoded values from `offset` on.
Result<std::unique_ptr<BlockSource>> Gather(const InputFile& file,
                                            const StoredTensor& tensor,
                                            uint64_t offset, uint64_t begin,
                                            std::span<std::byte> buffer) {
  const auto bytes = ByteCount(tensor.dtype, *ElementCount(tensor.shape));
  if (*bytes == 0) return std::make_unique<ReadBlocks>(file, 0, 0, buffer);
  ASSIGN_OR_RETURN(
      MappedWindow whole,
      MappedWindow::Map(file, offset, *bytes, MappedWindow::Fill::kOnUse));
  return std::make_unique<GatherBlocks>(file, tensor, std::move(whole), begin,
                                        buffer);
}

// A stream cannot be picked together: it goes through a temporary file, so
// that memory stays bounded.
Result<std::unique_ptr<BlockSource>> GatherSpilled(
    const InputFile& file, const StoredTensor& tensor,
    std::span<std::byte> buffer) {
  ASSIGN_OR_RETURN(auto stream, OpenStream(file, tensor));
  uint64_t left = *ByteCount(tensor.dtype, *ElementCount(tensor.shape));
  ASSIGN_OR_RETURN(
      const InputFile decoded, InputFile::Temporary([&](int fd) -> Status {
        while (left > 0) {
          const auto piece =
              buffer.first(std::min<uint64_t>(left, buffer.size()));
          RETURN_IF_ERROR(stream->Read(piece));
          if (write(fd, piece.data(), piece.size()) !=
              static_cast<ssize_t>(piece.size())) {
            return IoError("cannot write a temporary file: {}",
                           std::strerror(errno))
                .At(file.path());
          }
          left -= piece.size();
        }
        return stream->Finish();
      }));
  return Gather(decoded, tensor, 0, 0, buffer);
}

}  // namespace

bool IsSeekable(const StoredTensor& tensor) {
  return tensor.extent.encoding == Encoding::kRaw;
}

Result<std::unique_ptr<BlockSource>> OpenBlocks(const InputFile& file,
                                                const StoredTensor& tensor,
                                                BlockRange range, ReadMode mode,
                                                std::span<std::byte> buffer) {
  const Extent& extent = tensor.extent;
  if (!IsSeekable(tensor)) {
    if (tensor.column_major) return GatherSpilled(file, tensor, buffer);
    ASSIGN_OR_RETURN(auto stream, OpenStream(file, tensor));
    return std::make_unique<StreamBlocks>(std::move(stream), buffer);
  }
  if (tensor.column_major) {
    return Gather(file, tensor, extent.offset, range.begin, buffer);
  }
  const uint64_t begin = extent.offset + range.begin;
  const uint64_t end = extent.offset + range.end;
  if (mode == ReadMode::kMap)
    return std::make_unique<MapBlocks>(file, begin, end);
  return std::make_unique<ReadBlocks>(file, begin, end, buffer);
}

}  // namespace assay
