#include "base/mapped_window.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace assay {

struct MappedWindow::Slot {
  std::atomic<bool> taken = false;
  std::atomic<bool> lost = false;
  std::atomic<char*> begin = nullptr;
  std::atomic<size_t> length = 0;
  // For the owner alone, to ask whether the file is still as long.
  int fd = -1;
  uint64_t end = 0;
};

namespace {

bool Reaches(int fd, uint64_t end) {
  struct stat now;
  return fstat(fd, &now) == 0 && static_cast<uint64_t>(now.st_size) >= end;
}

// The one piece of process-wide state: a signal handler can look nowhere else.
constexpr size_t kSlots = 1024;  // two for each of 256 threads, and some

}  // namespace

// Defined outside the class so that the handler needs no allocation.
template <typename Slot>
struct SlotTable {
  static inline Slot slots[kSlots];

  // Puts zero pages under the window that was hit, and marks it.
  static void OnBusError(int signal_number, siginfo_t* info, void*) {
    char* const address = static_cast<char*>(info->si_addr);
    for (Slot& slot : slots) {
      char* const begin = slot.begin.load();
      const size_t length = slot.length.load();
      if (begin == nullptr || address < begin || address >= begin + length) {
        continue;
      }
      slot.lost.store(true);
      mmap(begin, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
           -1, 0);
      return;
    }
    signal(signal_number, SIG_DFL);  // not ours: let it end the program
    raise(signal_number);
  }

  static void Install() {
    static const bool once = [] {
      struct sigaction action = {};
      action.sa_sigaction = OnBusError;
      action.sa_flags = SA_SIGINFO | SA_NODEFER;
      return sigaction(SIGBUS, &action, nullptr) == 0;
    }();
    (void)once;
  }

  static Slot* Take() {
    for (Slot& slot : slots) {
      if (!slot.taken.exchange(true)) return &slot;
    }
    return nullptr;
  }
};

Result<MappedWindow> MappedWindow::Map(const InputFile& file, uint64_t offset,
                                       size_t length) {
  using Table = SlotTable<Slot>;
  Table::Install();
  uint64_t end = 0;
  if (__builtin_add_overflow(offset, length, &end) ||
      !Reaches(file.fd(), end)) {
    return Corrupt("the file ends before byte {}", end)
        .At(file.path(), offset)
        .Hint("was it truncated or replaced while being read?");
  }
  static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t begin = offset / page * page;
  const size_t whole = length + static_cast<size_t>(offset - begin);
  Slot* slot = Table::Take();
  if (slot == nullptr) return Internal("too many mapped windows");
  const int fd = fcntl(file.fd(), F_DUPFD_CLOEXEC, 0);
  // Pages come when touched, 16 at a time: asking for all of them at once
  // (MAP_POPULATE) goes through them one by one and takes longer.
  void* at = fd < 0 ? MAP_FAILED
                    : mmap(nullptr, whole, PROT_READ, MAP_SHARED, fd,
                           static_cast<off_t>(begin));
  if (at == MAP_FAILED) {
    const int reason = errno;
    if (fd >= 0) close(fd);
    slot->taken.store(false);
    return IoError("cannot map: {}", std::strerror(reason))
        .At(file.path(), begin);
  }
  slot->fd = fd;
  slot->end = end;
  slot->lost.store(false);
  slot->length.store(whole);
  slot->begin.store(static_cast<char*>(at));
  return MappedWindow(slot,
                      static_cast<const std::byte*>(at) + (offset - begin));
}

MappedWindow::MappedWindow(MappedWindow&& other) noexcept
    : slot_(std::exchange(other.slot_, nullptr)), data_(other.data_) {}

MappedWindow& MappedWindow::operator=(MappedWindow&& other) noexcept {
  std::swap(slot_, other.slot_);
  std::swap(data_, other.data_);
  return *this;
}

MappedWindow::~MappedWindow() {
  if (slot_ == nullptr) return;
  char* const begin = slot_->begin.exchange(nullptr);
  munmap(begin, slot_->length.load());
  close(slot_->fd);
  slot_->taken.store(false);
}

// Bytes lost from the end of the last page read as zero without a signal.
bool MappedWindow::intact() const {
  return !slot_->lost.load() && Reaches(slot_->fd, slot_->end);
}

}  // namespace assay
