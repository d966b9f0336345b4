#include "kernel/pack_values.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kernel/element_walk.h"

namespace assay {
namespace {

Error CannotSpill() {
  return IoError("cannot write a temporary file: {}", std::strerror(errno));
}

// A writable mapping of a whole file.
class WritableMap {
 public:
  WritableMap(int fd, size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) {
  }
  ~WritableMap() {
    if (ok()) munmap(data_, bytes_);
  }
  WritableMap(const WritableMap&) = delete;
  WritableMap& operator=(const WritableMap&) = delete;

  bool ok() const { return data_ != MAP_FAILED; }
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  size_t bytes_;
  void* data_;
};

Status Fill(int fd, const Packed& packed, uint64_t bytes,
            const PackedValues::Source& plain) {
  // All blocks now: a full disk must not end the program later.
  if (posix_fallocate(fd, 0, static_cast<off_t>(bytes)) != 0) {
    return CannotSpill();
  }
  const WritableMap map(fd, bytes);
  if (!map.ok()) return CannotSpill();
  const uint8_t bits = Info(packed.tensor.dtype).bits;
  ElementWalk walk(packed.map, bits, 0);
  uint64_t left = *ElementCount(packed.map.shape());
  while (true) {
    ASSIGN_OR_RETURN(const std::string_view piece, plain());
    if (piece.empty()) return Done{};
    const uint64_t n = std::min<uint64_t>(left, piece.size() * 8 / bits);
    walk.Scatter(reinterpret_cast<const std::byte*>(piece.data()), n,
                 map.data());
    left -= n;
  }
}

}  // namespace

Result<PackedValues> PackedValues::Make(const Packed& packed,
                                        const Source& plain) {
  const auto bytes =
      ByteCount(packed.tensor.dtype, *ElementCount(packed.tensor.shape));
  ASSIGN_OR_RETURN(InputFile file, InputFile::Temporary([&](int fd) -> Status {
                     if (bytes.value_or(0) == 0) return Done{};
                     return Fill(fd, packed, *bytes, plain);
                   }));
  return PackedValues(std::move(file));
}

Result<std::string_view> PackedValues::Next() {
  constexpr uint64_t kPiece = 1 << 20;
  piece_.resize(std::min(kPiece, file_.size() - at_));
  RETURN_IF_ERROR(file_.ReadAt(
      at_, std::as_writable_bytes(std::span(piece_.data(), piece_.size()))));
  at_ += piece_.size();
  return piece_;
}

}  // namespace assay
