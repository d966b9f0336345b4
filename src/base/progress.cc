#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/text.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPause = std::chrono::milliseconds(100);
constexpr auto kPatience =
    std::chrono::milliseconds(300);  // short work: no bar

double Seconds(Clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

std::string Rate(double per_second, Progress::Unit unit) {
  return unit == Progress::Unit::kBytes
             ? BytesText(static_cast<uint64_t>(per_second)) + "/s"
             : fmt::format("{:.0f}/s", per_second);
}

}  // namespace

bool CanShowProgress() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr &&
         std::string_view(term) != "dumb";
}

Progress::Progress(std::string what, uint64_t total, Unit unit, bool shown,
                   ProgressCount* seen)
    : what_(std::move(what)), total_(total), unit_(unit), seen_(seen) {
  if (seen_) {
    seen_->done = 0;
    seen_->total = total;
  }
  if (shown) drawer_ = std::jthread([this] { Draw(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  wake_.notify_all();
}

std::string Progress::Line(const std::string& what, uint64_t done,
                           uint64_t total, Unit unit, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  if (total == 0) {
    return fmt::format("{}  {}  {}", what, done, Rate(rate, unit));
  }
  const double share =
      std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  constexpr size_t kCells = 24;
  const auto full = static_cast<size_t>(share * kCells);
  std::string line =
      fmt::format("{}  [{:#<{}}{: <{}}] {:3.0f} %  {}", what, "", full, "",
                  kCells - full, 100 * share, Rate(rate, unit));
  if (rate > 0) {
    const double left =
        static_cast<double>(total - std::min(done, total)) / rate;
    line += fmt::format("  {:.0f} s left", left);
  }
  return line;
}

void Progress::Draw() {
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  bool drawn = false;
  while (!wake_.wait_for(lock, kPause, [this] { return finished_; })) {
    if (Clock::now() - start < kPatience) continue;
    const std::string line =
        Line(what_, done_.load(), total_, unit_, Seconds(Clock::now() - start));
    fmt::print(stderr, "\r{}\x1b[K", line);
    std::fflush(stderr);
    drawn = true;
  }
  if (drawn) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace assay
