#include "base/child_lines.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/child_process.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

// A stop asked for is seen this soon.
constexpr int kTickMs = 50;
// A child that has said all ends by itself within this time: it may have a
// device to release.
constexpr auto kLastWish = std::chrono::seconds(5);

// It stays to be waited for.
bool HasEnded(pid_t pid) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(pid), &info,
                WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid;
}

// False: it took longer.
bool LetEnd(pid_t pid, Clock::duration time) {
  const auto until = Clock::now() + time;
  while (!HasEnded(pid)) {
    if (Clock::now() > until) return false;
    usleep(1000);
  }
  return true;
}

}  // namespace

Result<ChildLines> ChildLines::Start(const std::vector<std::string>& words,
                                     std::string_view input) {
  ASSIGN_OR_RETURN(const InputFile in, FileHolding(input));
  return StartWith(words, in.fd());
}

// A socket: writing to a child that is gone must not end us.
Result<ChildLines> ChildLines::StartTalking(
    const std::vector<std::string>& words) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return IoError("cannot make a socket: {}", strerror(errno));
  }
  auto child = StartWith(words, ends[1]);
  close(ends[1]);
  if (child) {
    child->in_ = ends[0];
  } else {
    close(ends[0]);
  }
  return child;
}

Result<ChildLines> ChildLines::StartWith(const std::vector<std::string>& words,
                                         int input) {
  ASSIGN_OR_RETURN(InputFile err, FileHolding(""));
  int pipe_ends[2];
  // Other children must not hold the ends open.
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    return IoError("cannot make a pipe: {}", strerror(errno));
  }
  auto pid =
      StartChild(words, {input, pipe_ends[1], err.fd()}, ChildGroup::kItsOwn);
  close(pipe_ends[1]);
  if (pid) return ChildLines(*pid, pipe_ends[0], std::move(err));
  close(pipe_ends[0]);
  return std::move(pid).error();
}

ChildLines::ChildLines(ChildLines&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      in_(std::exchange(other.in_, -1)),
      out_(std::exchange(other.out_, -1)),
      err_(std::move(other.err_)),
      err_from_(other.err_from_),
      buffer_(std::move(other.buffer_)),
      searched_(other.searched_),
      end_(other.end_) {}

ChildLines::~ChildLines() {
  if (pid_ > 0) {
    Kill();
    std::ignore = WaitForChild(pid_);
  }
  if (in_ >= 0) close(in_);
  if (out_ >= 0) close(out_);
}

bool ChildLines::Send(std::string_view text) {
  err_from_ = ErrorBytes();
  while (!text.empty()) {
    const ssize_t sent = send(in_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    text.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

void ChildLines::Kill() const { kill(-pid_, SIGKILL); }

// More of its output; false when there is none, with the reason in `end_`.
bool ChildLines::Fill(double seconds, const std::atomic<bool>& stop) {
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (stop.load(std::memory_order_relaxed))
      end_ = End::kStopped;
    else if (Clock::now() > until)
      end_ = End::kTimeout;
    if (end_ != End::kNone) return false;
    pollfd ready{.fd = out_, .events = POLLIN, .revents = 0};
    // What it started may hold the pipe open for long.
    const bool over = HasEnded(pid_);
    if (poll(&ready, 1, over ? 0 : kTickMs) <= 0) {
      if (over) end_ = End::kClosed;
      continue;
    }
    char piece[64 << 10];
    const ssize_t got = read(out_, piece, sizeof(piece));
    if (got < 0 && errno == EINTR) continue;
    if (got > 0) {
      buffer_.append(piece, static_cast<size_t>(got));
      return true;
    }
    end_ = got == 0 ? End::kClosed : End::kUnreadable;
    return false;
  }
}

std::optional<std::string> ChildLines::Next(double seconds,
                                            const std::atomic<bool>& stop) {
  for (;;) {
    const size_t at = buffer_.find('\n', searched_);
    if (at != std::string::npos) {
      std::string line = buffer_.substr(0, at);
      buffer_.erase(0, at + 1);
      searched_ = 0;
      return line;
    }
    searched_ = buffer_.size();
    if (end_ == End::kNone && buffer_.size() > kLongest) end_ = End::kTooLong;
    if (end_ != End::kNone || !Fill(seconds, stop)) break;
  }
  if (end_ != End::kClosed || buffer_.empty()) return std::nullopt;
  searched_ = 0;  // a last line without its end
  return std::exchange(buffer_, {});
}

Result<int> ChildLines::Finish() {
  if (in_ >= 0) close(std::exchange(in_, -1));
  if ((end_ == End::kClosed || end_ == End::kNone) &&
      !LetEnd(pid_, kLastWish)) {
    end_ = End::kStayed;
  }
  Kill();  // also what it started and left running
  auto code = WaitForChild(pid_);
  pid_ = -1;
  return code;
}

size_t ChildLines::ErrorBytes() const {
  struct stat info;
  return fstat(err_.fd(), &info) == 0 ? static_cast<size_t>(info.st_size) : 0;
}

std::string ChildLines::ErrorTail(size_t bytes) const {
  const size_t end = ErrorBytes();
  std::string tail(std::min(bytes, end - std::min(end, err_from_)), '\0');
  const ssize_t got = pread(err_.fd(), tail.data(), tail.size(),
                            static_cast<off_t>(end - tail.size()));
  tail.resize(got < 0 ? 0 : static_cast<size_t>(got));
  return tail;
}

}  // namespace assay
