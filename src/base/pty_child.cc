#include "base/pty_child.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/child_process.h"
#include "base/text.h"

namespace assay {
namespace {

constexpr size_t kTail = 600;  // bytes of output shown in an error

// No echo, no translation of line ends: what is read is what it printed.
termios PlainTerminal() {
  termios plain = {};
  plain.c_iflag = ICRNL;
  plain.c_cflag = CS8 | CREAD | CLOCAL;
  plain.c_lflag = ICANON | ISIG;
  plain.c_cc[VEOF] = 4;
  plain.c_cc[VINTR] = 3;
  cfsetspeed(&plain, B38400);
  return plain;
}

// In the child: never returns.
[[noreturn]] void Become(const std::vector<char*>& argv) {
  std::signal(SIGPIPE, SIG_DFL);
  execvp(argv[0], argv.data());
  const char* why = strerror(errno);
  (void)!write(STDERR_FILENO, why, std::strlen(why));
  _exit(127);
}

Error Silent(std::string_view printed, std::string what) {
  const size_t from = printed.size() > kTail ? printed.size() - kTail : 0;
  Error error = Corrupt("{}", what);
  const std::string_view tail = Trim(printed.substr(from));
  if (!tail.empty()) error.hint = fmt::format("it printed last:\n{}", tail);
  return error;
}

}  // namespace

Result<PtyChild> PtyChild::Start(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);
  const termios plain = PlainTerminal();
  // So wide that no line editor breaks a line.
  const winsize size = {.ws_row = 50, .ws_col = 32000};
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, &plain, &size);
  if (pid < 0) return IoError("no terminal: {}", strerror(errno));
  if (pid == 0) Become(argv);
  fcntl(terminal, F_SETFD, FD_CLOEXEC);
  return PtyChild(pid, terminal);
}

PtyChild::PtyChild(PtyChild&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      terminal_(std::exchange(other.terminal_, -1)),
      buffer_(std::move(other.buffer_)) {}

PtyChild::~PtyChild() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    (void)WaitForChild(pid_);
  }
  if (terminal_ >= 0) close(terminal_);
}

PtyChild::Read PtyChild::Fill(double seconds) {
  pollfd wait = {.fd = terminal_, .events = POLLIN};
  const int ready = poll(&wait, 1, static_cast<int>(seconds * 1000));
  if (ready < 0 && errno == EINTR) return Read::kSome;
  if (ready == 0) return Read::kSilent;
  char piece[64 << 10];
  const ssize_t got = read(terminal_, piece, sizeof(piece));
  if (got < 0 && errno == EINTR) return Read::kSome;
  if (got <= 0) return Read::kEnd;  // EIO when the other side is closed
  buffer_.append(piece, static_cast<size_t>(got));
  return Read::kSome;
}

Result<std::string> PtyChild::ReadUntil(std::string_view mark, double seconds) {
  size_t searched = 0;
  for (;;) {
    const size_t at = buffer_.find(mark, searched);
    if (at != std::string::npos) {
      std::string text = buffer_.substr(0, at + mark.size());
      buffer_.erase(0, at + mark.size());
      return text;
    }
    searched = buffer_.size() < mark.size() ? 0 : buffer_.size() - mark.size();
    const Read read = Fill(seconds);
    if (read == Read::kEnd) {
      return Silent(buffer_, fmt::format("it ended without '{}'", mark));
    }
    if (read == Read::kSilent) {
      return Silent(buffer_, fmt::format("no '{}' for {} seconds", mark,
                                         RoundedText(seconds)));
    }
  }
}

Status PtyChild::Send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(terminal_, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return IoError("cannot type: {}", strerror(errno));
    text.remove_prefix(static_cast<size_t>(wrote));
  }
  return Done{};
}

Result<PtyChild::End> PtyChild::Finish(double seconds) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (Fill(0.1) != Read::kEnd) {
    if (std::chrono::steady_clock::now() > end) {
      kill(pid_, SIGKILL);
      break;
    }
  }
  ASSIGN_OR_RETURN(const int code, WaitForChild(std::exchange(pid_, -1)));
  return End{code, std::exchange(buffer_, {})};
}

}  // namespace assay
