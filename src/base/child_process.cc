#include "base/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/input_file.h"

extern char** environ;

namespace assay {
namespace {

Status WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      return IoError("cannot write a temporary file: {}", strerror(errno));
    }
    text.remove_prefix(static_cast<size_t>(wrote));
  }
  return Done{};
}

Result<InputFile> Holding(std::string_view text) {
  return InputFile::Temporary([&](int fd) { return WriteAll(fd, text); });
}

// All that stands in a file now; its size was taken when it was empty.
Result<std::string> Contents(int fd) {
  std::string text;
  char buffer[64 << 10];
  for (;;) {
    const ssize_t got =
        pread(fd, buffer, sizeof(buffer), static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError("cannot read back: {}", strerror(errno));
    if (got == 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
}

// The numbers of files that the child gets as its first three.
struct Streams {
  int in, out, err;
};

Result<pid_t> Spawn(const std::vector<std::string>& words, Streams streams) {
  std::vector<char*> argv;
  for (const std::string& word : words) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, streams.in, 0);
  posix_spawn_file_actions_adddup2(&actions, streams.out, 1);
  posix_spawn_file_actions_adddup2(&actions, streams.err, 2);
  pid_t pid = 0;
  const int failed =
      posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == 0) return pid;
  if (failed == ENOENT) return NotFound("no program '{}' here", words[0]);
  return IoError("cannot start '{}': {}", words[0], strerror(failed));
}

Result<int> Wait(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return IoError("lost a child: {}", strerror(errno));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<ChildResult> RunChild(const std::vector<std::string>& words,
                             std::string_view input) {
  ASSIGN_OR_RETURN(const InputFile in, Holding(input));
  // Files, not pipes: neither side ever waits for the other to read.
  ASSIGN_OR_RETURN(const InputFile out, Holding(""));
  ASSIGN_OR_RETURN(const InputFile err, Holding(""));
  if (lseek(in.fd(), 0, SEEK_SET) < 0) {
    return IoError("cannot rewind a temporary file: {}", strerror(errno));
  }
  ASSIGN_OR_RETURN(const pid_t pid,
                   Spawn(words, {in.fd(), out.fd(), err.fd()}));
  ChildResult result;
  ASSIGN_OR_RETURN(result.exit, Wait(pid));
  ASSIGN_OR_RETURN(result.out, Contents(out.fd()));
  ASSIGN_OR_RETURN(result.err, Contents(err.fd()));
  return result;
}

}  // namespace assay
