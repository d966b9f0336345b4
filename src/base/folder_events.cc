#include "base/folder_events.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace assay {

Result<FolderEvents> FolderEvents::Open() {
  const int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return IoError("cannot watch folders: {}", std::strerror(errno));
  return FolderEvents(fd);
}

FolderEvents::FolderEvents(FolderEvents&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

FolderEvents::~FolderEvents() {
  if (fd_ >= 0) close(fd_);
}

void FolderEvents::Add(const std::string& folder) {
  inotify_add_watch(fd_, folder.c_str(),
                    IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR);
}

bool FolderEvents::Wait(int milliseconds) {
  pollfd ready{.fd = fd_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, milliseconds) <= 0) return false;
  char events[16 << 10];
  while (read(fd_, events, sizeof(events)) > 0) {
  }
  return true;
}

}  // namespace assay
