#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/replacer.h"

namespace assay {

// Puts records that were written in the places of their dump files: waits until
// they are on the disk, then exchanges them. On a thread of its own, because
// the disk takes its time and the next files can be read meanwhile.
class RecordExchange {
 public:
  struct Outcome {
    Replacer::Job job;
    Result<bool> replaced = false;  // false: it was written to, or `stop`
  };

  // After `stop` nothing is exchanged any more.
  RecordExchange(Replacer replacer, const std::atomic<bool>& stop);
  ~RecordExchange();  // after what was given is done

  void Give(const Replacer::Job& job);  // from any thread
  // What was done since the last call.
  std::vector<Outcome> TakeDone();
  // Everything that was given is done and taken.
  bool Idle();
  // Until something can be taken.
  void WaitForDone();

 private:
  void Work();
  std::vector<Outcome> Exchange(const std::vector<Replacer::Job>& jobs);

  Replacer replacer_;
  const std::atomic<bool>& stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Replacer::Job> given_;
  std::vector<Outcome> done_;
  bool busy_ = false, ending_ = false;
  std::jthread worker_;
};

}  // namespace assay
