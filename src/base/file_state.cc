#include "base/file_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace assay {

std::optional<FileState> StateOf(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return std::nullopt;
  }
  return FileState{
      .inode = info.st_ino,
      .size = static_cast<uint64_t>(info.st_size),
      .changed = info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
}

namespace {

// Who holds a lease that a writer wants gets SIGIO, which ends a program that
// does not expect it. A handler, not SIG_IGN: a job would inherit that.
void ExpectWriters() {
  static const auto before = std::signal(SIGIO, [](int) {});
  static_cast<void>(before);
}

}  // namespace

// A lease for reading is given only while nobody writes.
std::optional<bool> BeingWritten(const std::string& path) {
  ExpectWriters();
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  std::optional<bool> answer;
  if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
    fcntl(fd, F_SETLEASE, F_UNLCK);
    answer = false;
  } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
    answer = true;
  }
  close(fd);
  return answer;
}

Status SyncFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool good = fd >= 0 && fsync(fd) == 0;
  const int code = errno;
  if (fd >= 0) close(fd);
  if (good) return Done{};
  return IoError("cannot write: {}", std::strerror(code)).At(path);
}

}  // namespace assay
