#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

namespace assay {
namespace {

// Bytes per system call. With 2 MB at once some systems take eight times as
// long.
constexpr size_t kPiece = 256 << 10;

constexpr size_t kLongestName = 255;

// Beside the file, and no longer than a name may be.
std::string TemporaryName(const std::string& path) {
  const std::string end = fmt::format(".part-{}", getpid());
  const std::filesystem::path whole(path);
  std::string name = whole.filename();
  if (name.size() + end.size() > kLongestName) {
    const std::string hash =
        fmt::format("-{:016x}", std::hash<std::string>()(name));
    name = name.substr(0, kLongestName - end.size() - hash.size()) + hash;
  }
  return (whole.parent_path() / (name + end)).string();
}

}  // namespace

Result<OutputFile> OutputFile::Create(const std::string& path,
                                      Existing existing) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return IoError("cannot write: it is a directory").At(path);
  }
  // A link that leads nowhere would be replaced too.
  if (existing == Existing::kRefuse &&
      std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    return IoError("it exists already").At(path).Hint("--force overwrites");
  }
  const std::string temporary = TemporaryName(path);
  const int fd =
      open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST) {
    return IoError("it is being written already")
        .At(path)
        .Hint("was it named twice? if not, remove " + temporary);
  }
  if (fd < 0) {
    return IoError("cannot write: {}", std::strerror(errno)).At(path);
  }
  return OutputFile(fd, path, temporary);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, "")),
      size_(other.size_),
      tail_(std::move(other.tail_)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  std::swap(size_, other.size_);
  std::swap(tail_, other.tail_);
  return *this;
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  close(fd_);
  unlink(temporary_.c_str());
}

Error OutputFile::Failure(std::string_view verb) const {
  return IoError("cannot {}: {}", verb, std::strerror(errno)).At(path_);
}

// Writes are large and begin at whole pages: a short header in front of the
// values would otherwise cost a third of the speed.
Status OutputFile::Append(std::string_view bytes) {
  constexpr uint64_t kSmall = 64 << 10, kPage = 4096;
  const uint64_t at = size_ - tail_.size(), total = tail_.size() + bytes.size();
  size_ += bytes.size();
  if (total < kSmall) {
    tail_ += bytes;
    return Done{};
  }
  const size_t from_bytes = total - total % kPage - tail_.size();
  RETURN_IF_ERROR(WriteBoth(at, tail_, bytes.substr(0, from_bytes)));
  tail_ = bytes.substr(from_bytes);
  return Done{};
}

// `first`, which is less than a piece, goes out with the start of `second`.
Status OutputFile::WriteBoth(uint64_t offset, std::string_view first,
                             std::string_view second) {
  const size_t piece = std::min(second.size(), kPiece - first.size());
  iovec parts[] = {{const_cast<char*>(first.data()), first.size()},
                   {const_cast<char*>(second.data()), piece}};
  const ssize_t n = pwritev(fd_, parts, 2, static_cast<off_t>(offset));
  if (n < 0 && errno != EINTR) return Failure("write");
  const auto done = static_cast<size_t>(n < 0 ? 0 : n);
  if (done < first.size()) {
    RETURN_IF_ERROR(WriteAt(offset + done, first.substr(done)));
    return WriteAt(offset + first.size(), second);
  }
  return WriteAt(offset + done, second.substr(done - first.size()));
}

Status OutputFile::Flush() {
  RETURN_IF_ERROR(WriteAt(size_ - tail_.size(), tail_));
  tail_.clear();
  return Done{};
}

Status OutputFile::PatchAt(uint64_t offset, std::string_view bytes) {
  RETURN_IF_ERROR(Flush());
  return WriteAt(offset, bytes);
}

Status OutputFile::WriteAt(uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t piece = std::min(bytes.size(), kPiece);
    const ssize_t n =
        pwrite(fd_, bytes.data(), piece, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failure("write");
    bytes.remove_prefix(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return Done{};
}

Status OutputFile::Commit() {
  RETURN_IF_ERROR(Flush());
  if (close(std::exchange(fd_, -1)) != 0) return Failure("close");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const Error error = Failure("rename");
    unlink(temporary_.c_str());
    return error;
  }
  return Done{};
}

Status OutputFile::HandOver() {
  RETURN_IF_ERROR(Flush());
  if (close(std::exchange(fd_, -1)) != 0) return Failure("close");
  return Done{};
}

}  // namespace assay
