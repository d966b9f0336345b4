#include "app/interrupt.h"

#include <csignal>

namespace assay {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted = false;
bool many_commands = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void OnSignal(int) { interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

const std::atomic<bool>& WatchInterrupt() {
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  if (!many_commands) action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return interrupted;
}

const std::atomic<bool>& WatchNextLine() {
  many_commands = true;
  interrupted.store(false);
  return WatchInterrupt();
}

}  // namespace assay
