#include "base/replacer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

namespace assay {
namespace {

bool WriteAll(int fd, const void* data, size_t n) {
  const char* at = static_cast<const char*>(data);
  while (n > 0) {
    const ssize_t done = write(fd, at, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    n -= static_cast<size_t>(done);
  }
  return true;
}

bool ReadAll(int fd, void* data, size_t n) {
  char* at = static_cast<char*>(data);
  while (n > 0) {
    const ssize_t done = read(fd, at, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    n -= static_cast<size_t>(done);
  }
  return true;
}

constexpr int32_t kChanged = -1;  // among the system's numbers of errors

// A job on its way: its length, the state, then three texts that end with zero.
std::string Message(const Replacer::Job& job) {
  std::string texts(reinterpret_cast<const char*>(&job.state),
                    sizeof(job.state));
  for (const std::string* text : {&job.temporary, &job.to, &job.from}) {
    texts.append(text->c_str(), text->size() + 1);
  }
  const auto size = static_cast<uint32_t>(texts.size());
  return std::string(reinterpret_cast<const char*>(&size), sizeof(size)) +
         texts;
}

// False when there are no more: the other process ended, however it did.
bool ReadJob(int fd, Replacer::Job& job) {
  uint32_t size = 0;
  if (!ReadAll(fd, &size, sizeof(size))) return false;
  std::string texts(size, '\0');
  if (!ReadAll(fd, texts.data(), size)) return false;
  std::memcpy(&job.state, texts.data(), sizeof(job.state));
  const char* at = texts.c_str() + sizeof(job.state);
  for (std::string* text : {&job.temporary, &job.to, &job.from}) {
    *text = at;
    at += text->size() + 1;
  }
  return true;
}

int32_t Do(const Replacer::Job& job) {
  if (StateOf(job.from) != job.state) {
    unlink(job.temporary.c_str());
    return kChanged;
  }
  if (std::rename(job.temporary.c_str(), job.to.c_str()) != 0) {
    const int32_t code = errno;
    unlink(job.temporary.c_str());
    return code;
  }
  return unlink(job.from.c_str()) == 0 ? 0 : errno;
}

[[noreturn]] void Serve(int in, int out,
                        void (*say)(const std::string&, const std::string&)) {
  setsid();  // what is sent to the group of the other one is not for us
  for (const int sign : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    signal(sign, SIG_IGN);
  }
  Replacer::Job job;
  while (ReadJob(in, job)) {
    const int32_t code = Do(job);
    if (code == 0) say(job.from, job.to);
    if (!WriteAll(out, &code, sizeof(code))) break;
  }
  _exit(0);
}

}  // namespace

Result<Replacer> Replacer::Start(void (*say)(const std::string&,
                                             const std::string&)) {
  std::array<int, 2> jobs{}, answers{};
  if (pipe2(jobs.data(), O_CLOEXEC) != 0 ||
      pipe2(answers.data(), O_CLOEXEC) != 0) {
    return IoError("cannot make a pipe: {}", std::strerror(errno));
  }
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) return IoError("cannot fork: {}", std::strerror(errno));
  if (pid == 0) {
    close(jobs[1]);
    close(answers[0]);
    Serve(jobs[0], answers[1], say);
  }
  close(jobs[0]);
  close(answers[1]);
  return Replacer(jobs[1], answers[0], pid);
}

Replacer::Replacer(Replacer&& other) noexcept
    : out_(std::exchange(other.out_, -1)),
      in_(std::exchange(other.in_, -1)),
      pid_(std::exchange(other.pid_, -1)) {}

Replacer::~Replacer() {
  if (pid_ < 0) return;
  close(out_);
  close(in_);
  waitpid(pid_, nullptr, 0);
}

// What cannot be sent is not answered either.
void Replacer::Send(const Job& job) {
  const std::string message = Message(job);
  WriteAll(out_, message.data(), message.size());
}

Result<bool> Replacer::Answer() {
  int32_t code = 0;
  if (!ReadAll(in_, &code, sizeof(code))) {
    return IoError("the process that replaces files has ended");
  }
  if (code == kChanged) return false;
  if (code == 0) return true;
  return IoError("cannot replace it: {}", std::strerror(code));
}

}  // namespace assay
