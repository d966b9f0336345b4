#include <malloc.h>

#include <csignal>
#include <string>
#include <vector>

#include "app/command.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // `assay … | head` ends with a write error
#ifdef M_TOP_PAD
  // Thousands of rows come from many small pieces: ask the system for memory in
  // larger steps. What is not used costs nothing.
  mallopt(M_TOP_PAD, 4 << 20);
#endif
  return assay::RunProgram(std::vector<std::string>(argv + 1, argv + argc));
}
