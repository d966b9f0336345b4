#include "base/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/text.h"

namespace assay {

Result<InputFile> InputFile::Open(const std::string& path) {
  // O_NONBLOCK: a pipe in a dump folder must not make us wait for a writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    const int reason = errno;
    Error error =
        MakeError(reason == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                  "cannot open: {}", std::strerror(reason));
    if (reason == EMFILE) {
      error.hint = "too many open files; try --threads 1 or 'ulimit -n 4096'";
    }
    return std::move(error).At(path);
  }
  InputFile file(fd, path, 0);
  struct stat info;
  if (fstat(fd, &info) != 0) {
    return IoError("cannot look at it: {}", std::strerror(errno)).At(path);
  }
  if (!S_ISREG(info.st_mode)) return IoError("not a regular file").At(path);
  file.size_ = static_cast<uint64_t>(info.st_size);
  return file;
}

Result<InputFile> InputFile::Temporary(
    const std::function<Status(int fd)>& fill) {
  const char* folder = std::getenv("TMPDIR");
  std::string path =
      fmt::format("{}/assay-XXXXXX", folder != nullptr ? folder : "/tmp");
  const int fd = mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) {
    return IoError("cannot create a temporary file: {}", std::strerror(errno))
        .At(path)
        .Hint("TMPDIR names the folder for it");
  }
  unlink(path.c_str());
  InputFile file(fd, path, 0);
  RETURN_IF_ERROR(fill(fd));
  struct stat info;
  if (fstat(fd, &info) != 0) {
    return IoError("cannot look at it: {}", std::strerror(errno)).At(path);
  }
  file.size_ = static_cast<uint64_t>(info.st_size);
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      size_(other.size_),
      text_limit_(other.text_limit_),
      head_(std::move(other.head_)) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(size_, other.size_);
  std::swap(text_limit_, other.text_limit_);
  std::swap(head_, other.head_);
  return *this;
}

InputFile::~InputFile() {
  if (fd_ >= 0) close(fd_);
}

Status InputFile::ReadAt(uint64_t offset, std::span<std::byte> out) const {
  if (out.empty()) return Done{};
  if (offset <= head_.size() && out.size() <= head_.size() - offset) {
    std::memcpy(out.data(), head_.data() + offset, out.size());
    return Done{};
  }
  size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = pread(fd_, out.data() + done, out.size() - done,
                            static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return IoError("cannot read: {}", std::strerror(errno))
          .At(path_, offset + done);
    }
    if (n == 0) {
      return Corrupt("the file ends here, {} bytes are missing",
                     out.size() - done)
          .At(path_, offset + done)
          .Hint("was it truncated or replaced while being read?");
    }
    done += static_cast<size_t>(n);
  }
  return Done{};
}

Result<std::string> InputFile::Head(size_t limit) const {
  return Text(0, std::min<uint64_t>(limit, size_));
}

Result<std::string_view> InputFile::KeepHead(size_t limit) {
  ASSIGN_OR_RETURN(head_, Head(limit));
  return head_;
}

Result<std::string> InputFile::Text(uint64_t offset, uint64_t length) const {
  if (offset > size_ || length > size_ - offset) {
    return Corrupt("{} bytes wanted, {} left", length,
                   offset > size_ ? 0 : size_ - offset)
        .At(path_, offset);
  }
  if (length > text_limit_) {
    return TooLarge("{} of memory needed, {} allowed", BytesText(length),
                    BytesText(text_limit_))
        .At(path_, offset)
        .Hint("--max-memory sets the bound");
  }
  std::string text(length, '\0');
  RETURN_IF_ERROR(ReadAt(offset, std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace assay
