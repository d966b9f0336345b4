#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "app/command.h"

namespace {

// Nobody may be left to read it: no word about that, and no further trouble.
int CannotWrite(int why) {
  if (why != EPIPE) {
    dprintf(STDERR_FILENO, "assay: cannot write: %s\n", std::strerror(why));
  }
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // `assay … | head` ends with a write error
#ifdef M_TOP_PAD
  // Thousands of rows come from many small pieces: ask the system for memory in
  // larger steps. What is not used costs nothing.
  mallopt(M_TOP_PAD, 4 << 20);
#endif
  try {
    const int code =
        assay::RunProgram(std::vector<std::string>(argv + 1, argv + argc));
    if (std::fflush(stdout) == 0 || errno == EPIPE) return code;
    return CannotWrite(errno);
  } catch (const std::system_error& error) {  // fmt's, of what it cannot print
    return CannotWrite(error.code().value());
  }
}
