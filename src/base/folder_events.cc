#include "base/folder_events.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace assay {
namespace {

// Whether one of these events matters.
bool AnyMatters(const char* at, const char* end,
                FolderEvents::Matters matters) {
  bool any = false;
  while (at < end) {
    inotify_event event;
    std::memcpy(&event, at, sizeof(event));
    at += sizeof(event);
    const bool finished = (event.mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0;
    any |= (event.mask & (IN_ISDIR | IN_Q_OVERFLOW)) != 0;
    any |= finished && event.len > 0 && matters(at);  // ends with zero
    at += event.len;
  }
  return any;
}

}  // namespace

Result<FolderEvents> FolderEvents::Open() {
  const int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return IoError("cannot watch folders: {}", std::strerror(errno));
  return FolderEvents(fd);
}

FolderEvents::FolderEvents(FolderEvents&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), folders_(std::move(other.folders_)) {}

FolderEvents::~FolderEvents() {
  if (fd_ >= 0) close(fd_);
}

bool FolderEvents::Add(const std::string& folder) {
  const int number =
      inotify_add_watch(fd_, folder.c_str(),
                        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR);
  return number >= 0 && folders_.insert(number).second;
}

bool FolderEvents::Wait(int milliseconds, Matters matters) {
  pollfd ready{.fd = fd_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, milliseconds) <= 0) return false;
  bool any = false;
  char events[16 << 10];
  for (ssize_t n = 0; (n = read(fd_, events, sizeof(events))) > 0;) {
    any |= AnyMatters(events, events + n, matters);
  }
  return any;
}

}  // namespace assay
