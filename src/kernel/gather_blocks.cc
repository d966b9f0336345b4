#include "kernel/gather_blocks.h"

#include <string>

#include "base/mapped_window.h"
#include "kernel/element_walk.h"

namespace assay {
namespace {

// Room for one block of the widest type behind what is read at once.
constexpr size_t kGathered = 64 << 10;
// Tensors up to this size are one worker's: their pages are mapped at once.
constexpr uint64_t kOneWorker = 16 << 20;

// From a mapping of the whole tensor.
class GatherMapped : public BlockSource {
 public:
  GatherMapped(const InputFile& file, uint64_t offset, MappedWindow whole,
               ElementWalk walk, uint8_t bits, std::span<std::byte> out)
      : path_(file.path()),
        offset_(offset),
        whole_(std::move(whole)),
        walk_(std::move(walk)),
        bits_(bits),
        out_(out) {}

  Result<const std::byte*> Next(size_t bytes) override {
    walk_.Gather(whole_.data(), bytes * 8 / bits_, out_.data());
    return out_.data();
  }
  Status Finish() override {
    if (!whole_.intact()) return ShrankWhileRead(path_, offset_);
    return Done{};
  }

 private:
  std::string path_;
  uint64_t offset_;
  MappedWindow whole_;
  ElementWalk walk_;
  uint8_t bits_;
  std::span<std::byte> out_;
};

// From a tensor small enough to be read at once.
class GatherRead : public BlockSource {
 public:
  GatherRead(ElementWalk walk, uint8_t bits, std::span<const std::byte> stored,
             std::span<std::byte> out)
      : walk_(std::move(walk)), bits_(bits), stored_(stored), out_(out) {}

  Result<const std::byte*> Next(size_t bytes) override {
    walk_.Gather(stored_.data(), bytes * 8 / bits_, out_.data());
    return out_.data();
  }

 private:
  ElementWalk walk_;
  uint8_t bits_;
  std::span<const std::byte> stored_;
  std::span<std::byte> out_;
};

}  // namespace

Error ShrankWhileRead(const std::string& path, uint64_t offset) {
  return Corrupt("the file shrank while it was read")
      .At(path, offset)
      .Hint("is the dump still being written?");
}

Result<std::unique_ptr<BlockSource>> OpenGather(const InputFile& file,
                                                const StoredView& view,
                                                uint64_t offset, uint64_t begin,
                                                std::span<std::byte> buffer) {
  const uint8_t bits = Info(view.dtype()).bits;
  const uint64_t bytes = *ByteCount(view.dtype(), view.map->stored);
  ElementWalk walk(*view.map, bits, begin * 8 / bits);
  if (bytes + kGathered <= buffer.size()) {
    const auto stored = buffer.first(static_cast<size_t>(bytes));
    RETURN_IF_ERROR(file.ReadAt(offset, stored));
    return std::make_unique<GatherRead>(std::move(walk), bits, stored,
                                        buffer.last(kGathered));
  }
  const auto fill = bytes <= kOneWorker ? MappedWindow::Fill::kNow
                                        : MappedWindow::Fill::kOnUse;
  ASSIGN_OR_RETURN(MappedWindow whole,
                   MappedWindow::Map(file, offset, bytes, fill));
  return std::make_unique<GatherMapped>(file, offset, std::move(whole),
                                        std::move(walk), bits, buffer);
}

}  // namespace assay
