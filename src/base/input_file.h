#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

// A file opened for reading at any offset, from any thread. It owns the
// descriptor; nothing is mapped or buffered.
class InputFile {
 public:
  static Result<InputFile> Open(const std::string& path);
  // An unnamed file that `fill` writes to; it is gone when it is closed.
  static Result<InputFile> Temporary(const std::function<Status(int fd)>& fill);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }  // when it was opened
  int fd() const { return fd_; }
  // No text longer than this is read into memory.
  void LimitText(uint64_t bytes) { text_limit_ = bytes; }

  // Fills `out` from `offset`; fewer bytes than asked is an error, never a
  // short read.
  Status ReadAt(uint64_t offset, std::span<std::byte> out) const;
  // At most `limit` bytes from the start.
  Result<std::string> Head(size_t limit) const;
  // The same; later reads of these bytes do not
  // ask the system again. Not while other threads read.
  Result<std::string_view> KeepHead(size_t limit);
  // Checks the range against the size and the limit before it allocates.
  Result<std::string> Text(uint64_t offset, uint64_t length) const;

 private:
  InputFile(int fd, std::string path, uint64_t size)
      : fd_(fd), path_(std::move(path)), size_(size) {}

  int fd_ = -1;
  std::string path_;
  uint64_t size_ = 0;
  uint64_t text_limit_ = ~uint64_t{0};
  std::string head_;
};

}  // namespace assay
