#include "kernel/gather_blocks.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/mapped_window.h"
#include "kernel/element_walk.h"
#include "kernel/panels.h"

namespace assay {
namespace {

// Room for one block of the widest type behind what is read at once.
constexpr size_t kGathered = 64 << 10;
// Panels up to this size in all stay in the cache until they are used.
constexpr size_t kPanels = 512 << 10;

// What is stored of a tensor: all of it at hand, or read where it is asked for.
class StoredBytes {
 public:
  explicit StoredBytes(const std::byte* whole) : whole_(whole) {}
  explicit StoredBytes(MappedWindow window)
      : window_(std::move(window)), whole_(window_->data()) {}
  // The file outlives it; `room` holds what was read last.
  StoredBytes(const InputFile& file, uint64_t offset, std::span<std::byte> room)
      : file_(&file), offset_(offset), room_(room) {}

  bool CanGet(uint64_t bytes) const { return whole_ || bytes <= room_.size(); }
  Result<const std::byte*> Get(uint64_t begin, uint64_t bytes) const {
    if (whole_ != nullptr) return whole_ + begin;
    RETURN_IF_ERROR(file_->ReadAt(offset_ + begin, room_.first(bytes)));
    return room_.data();
  }
  bool intact() const { return !window_ || window_->intact(); }

 private:
  std::optional<MappedWindow> window_;
  const std::byte* whole_ = nullptr;
  const InputFile* file_ = nullptr;
  uint64_t offset_ = 0;
  std::span<std::byte> room_;
};

// The two ways to bring elements into row-major order: one after the other, and
// by panels. `out` holds a block; panels come where there is room behind it.
class Picker {
 public:
  Picker(const StoredView& view, uint64_t first, StoredBytes stored,
         std::span<std::byte> out)
      : bits_(Info(view.dtype()).bits),
        at_(first),
        end_(ElementCount(view.shape).value_or(0)),
        walk_(*view.map, bits_, first),
        stored_(std::move(stored)),
        out_(out),
        room_(out.subspan(std::min(out.size(), kGathered))) {
    if (Panels::Fit(*view.map, bits_, room_.size())) {
      panels_.emplace(*view.map, bits_, MostAtOnce());
    }
  }

  // The rest of the panels, or a block.
  size_t AtOnce() {
    if (!panels_ || at_ == end_ || !EnterPanels()) return kGathered;
    return (first_ + n_ - at_) * (bits_ / 8);
  }

  Result<const std::byte*> Next(size_t bytes) {
    const uint64_t n = std::min<uint64_t>(end_ - at_, bytes * 8 / bits_);
    if (panels_) return FromPanels(n);
    if (bits_ < 8) std::fill_n(out_.data(), bytes, std::byte{0});
    ASSIGN_OR_RETURN(const std::byte* stored, stored_.Get(0, 0));
    walk_.Gather(stored, n, out_.data());
    at_ += n;
    return out_.data();
  }

  bool intact() const { return stored_.intact(); }

 private:
  size_t width() const { return bits_ / 8; }
  uint64_t MostAtOnce() const {
    return std::min(kPanels, room_.size()) / width();
  }

  // Small panels come several at a time.
  Status EnterPanels() {
    if (at_ >= first_ && at_ < first_ + n_) return Done{};
    group_.assign(1, panels_->At(at_));
    const int64_t begin = group_.front().begin;
    int64_t end = begin + group_.front().span;
    first_ = group_.front().first;
    n_ = group_.front().n;
    while (first_ + n_ < end_ && n_ + panels_->Largest() <= MostAtOnce()) {
      const Panels::Panel next = panels_->At(first_ + n_);
      const int64_t reach = std::max(end, next.begin + next.span);
      if (next.begin < begin || !stored_.CanGet(BytesOf(reach - begin))) break;
      end = reach;
      n_ += next.n;
      group_.push_back(next);
    }
    const auto from = stored_.Get(BytesOf(begin), BytesOf(end - begin));
    if (!from) n_ = 0;
    RETURN_IF_ERROR(from);
    for (const Panels::Panel& panel : group_) {
      panels_->Fill(panel, *from + BytesOf(panel.begin - begin),
                    room_.data() + (panel.first - first_) * width());
    }
    return Done{};
  }
  uint64_t BytesOf(int64_t elements) const {
    return static_cast<uint64_t>(elements) * width();
  }

  // A block that lies in the panels at hand is not copied.
  Result<const std::byte*> FromPanels(uint64_t n) {
    for (uint64_t done = 0; done < n;) {
      RETURN_IF_ERROR(EnterPanels());
      const std::byte* from = room_.data() + (at_ - first_) * width();
      const uint64_t here = std::min(n - done, first_ + n_ - at_);
      at_ += here;
      if (here == n) return from;
      std::memcpy(out_.data() + done * width(), from, here * width());
      done += here;
    }
    return out_.data();
  }

  uint8_t bits_;
  uint64_t at_, end_;  // row-major elements
  ElementWalk walk_;
  StoredBytes stored_;
  std::span<std::byte> out_, room_;
  std::optional<Panels> panels_;
  std::vector<Panels::Panel> group_;  // at hand
  uint64_t first_ = 0, n_ = 0;        // elements of all of them
};

class GatherBlocks : public BlockSource {
 public:
  GatherBlocks(const InputFile& file, uint64_t offset, Picker picker)
      : path_(file.path()), offset_(offset), picker_(std::move(picker)) {}

  Result<const std::byte*> Next(size_t bytes) override {
    return picker_.Next(bytes);
  }
  size_t AtOnce() override { return picker_.AtOnce(); }
  Status Finish() override {
    if (!picker_.intact()) return ShrankWhileRead(path_, offset_);
    return Done{};
  }

 private:
  std::string path_;
  uint64_t offset_;
  Picker picker_;
};

// Whether panels can be read one by one into half of the room.
bool CanReadPanels(const StoredView& view, size_t room) {
  const uint8_t bits = Info(view.dtype()).bits;
  if (!Panels::Fit(*view.map, bits, room)) return false;
  const Panels panels(*view.map, bits, 0);
  return panels.StandAlone() &&
         static_cast<uint64_t>(panels.At(0).span) * bits / 8 <= room;
}

}  // namespace

Error ShrankWhileRead(const std::string& path, uint64_t offset) {
  return Corrupt("the file shrank while it was read")
      .At(path, offset)
      .Hint("is the dump still being written?");
}

Result<std::unique_ptr<BlockSource>> OpenGather(const InputFile& file,
                                                Afterwards afterwards,
                                                const StoredView& view,
                                                uint64_t offset, uint64_t begin,
                                                std::span<std::byte> buffer) {
  const uint64_t bytes = *ByteCount(view.dtype(), view.map->stored);
  const uint64_t first = begin * 8 / Info(view.dtype()).bits;
  const auto make = [&](StoredBytes stored, size_t taken) {
    return std::make_unique<GatherBlocks>(
        file, offset,
        Picker(view, first, std::move(stored), buffer.subspan(taken)));
  };
  if (bytes + kGathered <= buffer.size()) {
    const auto whole = buffer.first(static_cast<size_t>(bytes));
    RETURN_IF_ERROR(file.ReadAt(offset, whole));
    return make(StoredBytes(whole.data()), whole.size());
  }
  const size_t half = (buffer.size() - std::min(buffer.size(), kGathered)) / 2;
  if (afterwards == Afterwards::kOpen && CanReadPanels(view, half)) {
    return make(StoredBytes(file, offset, buffer.first(half)), half);
  }
  ASSIGN_OR_RETURN(MappedWindow window, MappedWindow::Map(file, offset, bytes));
  return make(StoredBytes(std::move(window)), 0);
}

}  // namespace assay
