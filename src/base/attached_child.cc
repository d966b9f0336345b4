#include "base/attached_child.h"

#include <unistd.h>

#include <csignal>
#include <iterator>

#include "base/child_process.h"

namespace assay {
namespace {

// Handlers, not SIG_IGN: the child would inherit that. SIGPIPE is ignored in
// this program, and no job expects it to be.
class QuietSignals {
 public:
  QuietSignals() {
    struct sigaction nothing = {};
    nothing.sa_handler = [](int) {};
    for (size_t i = 0; i < std::size(kSignals); ++i) {
      sigaction(kSignals[i], &nothing, &before_[i]);
    }
  }
  ~QuietSignals() {
    for (size_t i = 0; i < std::size(kSignals); ++i) {
      sigaction(kSignals[i], &before_[i], nullptr);
    }
  }
  QuietSignals(const QuietSignals&) = delete;
  QuietSignals& operator=(const QuietSignals&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGQUIT, SIGPIPE};
  struct sigaction before_[std::size(kSignals)] = {};
};

}  // namespace

Result<int> RunAttached(const std::vector<std::string>& words) {
  const QuietSignals quiet;
  ASSIGN_OR_RETURN(
      const pid_t pid,
      StartChild(words, {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}));
  return WaitForChild(pid);
}

}  // namespace assay
