#include <csignal>
#include <string>
#include <vector>

#include "app/command.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // `assay … | head` ends with a write error
  return assay::RunProgram(std::vector<std::string>(argv + 1, argv + argc));
}
