#include "kernel/gather_blocks.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "base/mapped_window.h"
#include "kernel/element_walk.h"
#include "kernel/panels.h"

namespace assay {
namespace {

// Room for one block of the widest type behind what is read at once.
constexpr size_t kGathered = 64 << 10;
// Panels up to this size in all stay in the cache until they are used.
constexpr size_t kPanels = 512 << 10;

// Elements picked in row-major order, as many as there are. `out` holds a
// block; panels come where there is room behind it.
class Picker {
 public:
  Picker(const StoredView& view, uint64_t first, std::span<std::byte> out)
      : bits_(Info(view.dtype()).bits),
        at_(first),
        end_(ElementCount(view.shape).value_or(0)),
        walk_(*view.map, bits_, first),
        out_(out),
        room_(out.subspan(std::min(out.size(), kGathered))) {
    if (Panels::Fit(*view.map, bits_, room_.size())) {
      panels_.emplace(*view.map, bits_, MostAtOnce());
    }
  }

  // The rest of the panel, or a block.
  size_t AtOnce(const std::byte* stored) {
    if (!panels_ || at_ == end_) return kGathered;
    EnterPanel(stored);
    return (panel_.first + panel_.n - at_) * (bits_ / 8);
  }

  const std::byte* Next(const std::byte* stored, size_t bytes) {
    const uint64_t n = std::min<uint64_t>(end_ - at_, bytes * 8 / bits_);
    if (panels_) return FromPanels(stored, n);
    if (bits_ < 8) std::fill_n(out_.data(), bytes, std::byte{0});
    walk_.Gather(stored, n, out_.data());
    at_ += n;
    return out_.data();
  }

 private:
  uint64_t MostAtOnce() const {
    return std::min(kPanels, room_.size()) / (bits_ / 8);
  }

  // Small panels come several at a time.
  void EnterPanel(const std::byte* stored) {
    if (at_ >= panel_.first && at_ < panel_.first + panel_.n) return;
    const size_t width = bits_ / 8;
    panel_ = panels_->Fill(stored, at_, room_.data());
    while (panel_.first + panel_.n < end_ &&
           panel_.n + panels_->Largest() <= MostAtOnce()) {
      panel_.n += panels_
                      ->Fill(stored, panel_.first + panel_.n,
                             room_.data() + panel_.n * width)
                      .n;
    }
  }

  // A block that lies in one panel is not copied.
  const std::byte* FromPanels(const std::byte* stored, uint64_t n) {
    const size_t width = bits_ / 8;
    for (uint64_t done = 0; done < n;) {
      EnterPanel(stored);
      const std::byte* from = room_.data() + (at_ - panel_.first) * width;
      const uint64_t here = std::min(n - done, panel_.first + panel_.n - at_);
      at_ += here;
      if (here == n) return from;
      std::memcpy(out_.data() + done * width, from, here * width);
      done += here;
    }
    return out_.data();
  }

  uint8_t bits_;
  uint64_t at_, end_;  // row-major elements
  ElementWalk walk_;
  std::span<std::byte> out_, room_;
  std::optional<Panels> panels_;
  Panels::Panel panel_;
};

// From a mapping of the whole tensor.
class GatherMapped : public BlockSource {
 public:
  GatherMapped(const InputFile& file, uint64_t offset, MappedWindow whole,
               Picker picker)
      : path_(file.path()),
        offset_(offset),
        whole_(std::move(whole)),
        picker_(std::move(picker)) {}

  Result<const std::byte*> Next(size_t bytes) override {
    return picker_.Next(whole_.data(), bytes);
  }
  size_t AtOnce() override { return picker_.AtOnce(whole_.data()); }
  Status Finish() override {
    if (!whole_.intact()) return ShrankWhileRead(path_, offset_);
    return Done{};
  }

 private:
  std::string path_;
  uint64_t offset_;
  MappedWindow whole_;
  Picker picker_;
};

// From a tensor small enough to be read at once.
class GatherRead : public BlockSource {
 public:
  GatherRead(std::span<const std::byte> stored, Picker picker)
      : stored_(stored), picker_(std::move(picker)) {}

  Result<const std::byte*> Next(size_t bytes) override {
    return picker_.Next(stored_.data(), bytes);
  }
  size_t AtOnce() override { return picker_.AtOnce(stored_.data()); }

 private:
  std::span<const std::byte> stored_;
  Picker picker_;
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
  const uint64_t bytes = *ByteCount(view.dtype(), view.map->stored);
  const uint64_t first = begin * 8 / Info(view.dtype()).bits;
  if (bytes + kGathered <= buffer.size()) {
    const auto stored = buffer.first(static_cast<size_t>(bytes));
    RETURN_IF_ERROR(file.ReadAt(offset, stored));
    return std::make_unique<GatherRead>(
        stored,
        Picker(view, first, buffer.subspan(static_cast<size_t>(bytes))));
  }
  ASSIGN_OR_RETURN(MappedWindow whole, MappedWindow::Map(file, offset, bytes));
  return std::make_unique<GatherMapped>(file, offset, std::move(whole),
                                        Picker(view, first, buffer));
}

}  // namespace assay
