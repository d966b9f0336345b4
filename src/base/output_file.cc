#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace assay {

Result<OutputFile> OutputFile::Create(const std::string& path,
                                      Existing existing) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return IoError("cannot write: it is a directory").At(path);
  }
  if (existing == Existing::kRefuse && std::filesystem::exists(path, ignored)) {
    return IoError("it exists already").At(path).Hint("--force overwrites");
  }
  const std::string temporary = fmt::format("{}.part-{}", path, getpid());
  const int fd =
      open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) {
    return IoError("cannot write: {}", std::strerror(errno)).At(path);
  }
  return OutputFile(fd, path, temporary);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, "")),
      size_(other.size_) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  std::swap(size_, other.size_);
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

Status OutputFile::Append(std::string_view bytes) {
  RETURN_IF_ERROR(PatchAt(size_, bytes));
  size_ += bytes.size();
  return Done{};
}

Status OutputFile::PatchAt(uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n =
        pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failure("write");
    bytes.remove_prefix(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return Done{};
}

Status OutputFile::Commit() {
  if (close(std::exchange(fd_, -1)) != 0) return Failure("close");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const Error error = Failure("rename");
    unlink(temporary_.c_str());
    return error;
  }
  return Done{};
}

}  // namespace assay
