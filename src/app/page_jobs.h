#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/page_root.h"
#include "app/page_runs.h"
#include "base/progress.h"
#include "pipeline/compare.h"
#include "reports/json_reader.h"

namespace assay {

// Comparisons that the page starts: one at a time, each in a thread.
class PageJobs {
 public:
  PageJobs(const PageRoot& root, PageRuns& runs) : root_(root), runs_(runs) {}
  ~PageJobs() { CancelAll(); }

  // From the page's form, a JSON object. Returns the job's number.
  Result<size_t> Start(const std::string& form);
  Result<std::string> StateJson(size_t number) const;
  Result<std::string> Cancel(size_t number);
  void CancelAll();

 private:
  enum class State { kRunning, kDone, kFailed, kCancelled };
  struct Wish {
    CompareOptions options;
    std::vector<std::string> argv;
    std::string golden, target;  // as typed
    bool advisor = true;
  };
  struct Job {
    Wish wish;
    std::atomic<bool> stop = false;
    ProgressCount progress;
    std::mutex mutex;  // of what follows
    State state = State::kRunning;
    std::vector<std::string> lines;
    std::string error;
    std::optional<size_t> run;
    std::jthread thread;
  };

  Result<Wish> ReadForm(const std::string& form) const;
  Status ReadPaths(const JsonReader& json, Wish& wish) const;
  // A path, or EXECUTOR:MODEL with an executor that is listed.
  Result<std::string> SourceInside(const std::string& typed) const;
  void Run(Job& job);
  void Keep(Comparison comparison, Job& job);
  Result<Job*> At(size_t number) const;
  static std::string_view Name(State state);

  const PageRoot& root_;
  PageRuns& runs_;
  mutable std::mutex mutex_;  // of the list
  std::vector<std::unique_ptr<Job>> jobs_;
};

}  // namespace assay
