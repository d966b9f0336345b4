#include "base/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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

}  // namespace

Result<InputFile> FileHolding(std::string_view text) {
  return InputFile::Temporary([&](int fd) -> Status {
    RETURN_IF_ERROR(WriteAll(fd, text));
    if (lseek(fd, 0, SEEK_SET) == 0) return Done{};
    return IoError("cannot rewind a temporary file: {}", strerror(errno));
  });
}

Result<pid_t> StartChild(const std::vector<std::string>& words,
                         ChildStreams streams, ChildGroup group) {
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
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (group == ChildGroup::kItsOwn) {
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  pid_t pid = 0;
  const int failed =
      posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == 0) return pid;
  if (failed == ENOENT) return NotFound("no program '{}' here", words[0]);
  return IoError("cannot start '{}': {}", words[0], strerror(failed));
}

Result<int> WaitForChild(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return IoError("lost a child: {}", strerror(errno));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Result<ChildResult> RunChild(const std::vector<std::string>& words,
                             std::string_view input) {
  ASSIGN_OR_RETURN(const InputFile in, FileHolding(input));
  // Files, not pipes: neither side ever waits for the other to read.
  ASSIGN_OR_RETURN(const InputFile out, FileHolding(""));
  ASSIGN_OR_RETURN(const InputFile err, FileHolding(""));
  ASSIGN_OR_RETURN(const pid_t pid,
                   StartChild(words, {in.fd(), out.fd(), err.fd()}));
  ChildResult result;
  ASSIGN_OR_RETURN(result.exit, WaitForChild(pid));
  ASSIGN_OR_RETURN(result.out, Contents(out.fd()));
  ASSIGN_OR_RETURN(result.err, Contents(err.fd()));
  return result;
}

}  // namespace assay
