#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace assay {

// The memory of one worker, allocated once: a read buffer and a tile for each
// side. All of it lies in one huge page where the system has them, and the two
// sides do not start at equal offsets of it: streams whose addresses agree in
// their low bits lose half the speed on some CPUs.
class WorkBuffers {
 public:
  static constexpr size_t kRead = 640 << 10;  // room for a panel, too
  static constexpr size_t kTile = 64 << 10;   // one block of doubles
  static constexpr size_t kTotal = 2 << 20;

  struct Side {
    std::span<std::byte> read, tile;
  };

  WorkBuffers();
  ~WorkBuffers();
  WorkBuffers(const WorkBuffers&) = delete;
  WorkBuffers& operator=(const WorkBuffers&) = delete;

  Side golden() const { return At(0); }
  Side target() const { return At(kRead + kTile + kShift); }

 private:
  static constexpr size_t kShift = (64 << 10) + 4096 + 64;
  Side At(size_t offset) const;

  std::byte* memory_;
};

// The buffers of several workers, made when first used.
class WorkerBuffers {
 public:
  explicit WorkerBuffers(int workers) : all_(static_cast<size_t>(workers)) {}

  const WorkBuffers& Of(size_t worker) {
    if (!all_[worker]) all_[worker] = std::make_unique<WorkBuffers>();
    return *all_[worker];
  }

 private:
  std::vector<std::unique_ptr<WorkBuffers>> all_;
};

}  // namespace assay
