#include "pipeline/record_exchange.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/file_state.h"
#include "base/parallel.h"

namespace assay {
namespace {

// Files that are waited for at the same time: the disk is told to write once
// for many. Fewer than the answers that a pipe has room for.
constexpr ptrdiff_t kAtOnce = 64;

}  // namespace

RecordExchange::RecordExchange(Replacer replacer, const std::atomic<bool>& stop)
    : replacer_(std::move(replacer)),
      stop_(stop),
      worker_([this] { Work(); }) {}

RecordExchange::~RecordExchange() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  changed_.notify_all();
}

void RecordExchange::Give(const Replacer::Job& job) {
  const std::lock_guard lock(mutex_);
  given_.push_back(job);
  changed_.notify_all();
}

std::vector<RecordExchange::Outcome> RecordExchange::TakeDone() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, {});
}

bool RecordExchange::Idle() {
  const std::lock_guard lock(mutex_);
  return given_.empty() && done_.empty() && !busy_;
}

void RecordExchange::WaitForDone() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return !done_.empty() || (given_.empty() && !busy_); });
}

void RecordExchange::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !given_.empty() || ending_; });
    if (given_.empty()) return;
    const auto last = given_.begin() + std::min(std::ssize(given_), kAtOnce);
    const std::vector<Replacer::Job> jobs(given_.begin(), last);
    given_.erase(given_.begin(), last);
    busy_ = true;
    lock.unlock();
    auto outcomes = Exchange(jobs);
    lock.lock();
    busy_ = false;
    std::ranges::move(outcomes, std::back_inserter(done_));
    changed_.notify_all();
  }
}

std::vector<RecordExchange::Outcome> RecordExchange::Exchange(
    const std::vector<Replacer::Job>& jobs) {
  std::vector<Outcome> outcomes(jobs.size());
  ParallelFor(jobs.size(), kAtOnce, [&](size_t i, size_t) {
    outcomes[i].job = jobs[i];
    const Status synced = SyncFile(jobs[i].temporary);
    if (!synced) outcomes[i].replaced = synced.error();
  });
  std::vector<Outcome*> good;
  for (Outcome& outcome : outcomes) {
    if (outcome.replaced && !stop_.load()) {
      good.push_back(&outcome);
      replacer_.Send(outcome.job);
    } else {
      std::remove(outcome.job.temporary.c_str());
    }
  }
  for (Outcome* outcome : good) outcome->replaced = replacer_.Answer();
  return outcomes;
}

}  // namespace assay
