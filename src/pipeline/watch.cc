#include "pipeline/watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <unordered_map>

#include "base/child_process.h"
#include "base/file_state.h"
#include "base/folder_events.h"
#include "base/parallel.h"
#include "base/text.h"
#include "pipeline/record_exchange.h"
#include "sources/digits.h"
#include "sources/dump_name.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr int kLookAgainMs = 500;
constexpr int kTickMs = 20;  // the end of the job is seen this soon
constexpr size_t kShown = 5;

constexpr std::string_view kNotOurs[] = {".txt", ".swp", ".json", ".csv"};
constexpr std::string_view kRecords[] = {"_min_max.npy", "_min_max.npz",
                                         "_stats.json"};
constexpr std::string_view kPart = ".part-";  // of OutputFile, then its process

bool IsRecord(std::string_view name) {
  return std::ranges::any_of(kRecords, [&](std::string_view suffix) {
    return name.ends_with(suffix);
  });
}

// Half a record that a killed watcher left behind.
bool IsForsaken(std::string_view name) {
  const size_t at = name.rfind(kPart);
  if (at == std::string_view::npos || !IsRecord(name.substr(0, at))) {
    return false;
  }
  const auto writer = ParseDigits(name.substr(at + kPart.size()));
  return writer && kill(static_cast<pid_t>(*writer), 0) != 0 && errno == ESRCH;
}

// Texts, tables, records of overflows, what is hidden and what was shrunk
// before: not ours.
bool MayShrink(std::string_view name) {
  for (const std::string_view suffix : kNotOurs) {
    if (name.ends_with(suffix)) return false;
  }
  if (IsRecord(name)) return false;
  if (name.empty() || name.front() == '.') return false;
  if (name.find(kPart) != std::string_view::npos) return false;
  const auto dump = ParseDumpName(name);
  return !dump || !dump->IsOverflowRecord();
}

class Watcher {
 public:
  Watcher(const WatchOptions& options, Replacer replacer, FolderEvents events,
          const std::atomic<bool>& stop)
      : options_(options),
        stop_(stop),
        events_(std::move(events)),
        buffers_(options.measure.threads),
        exchange_(std::move(replacer), stop) {}

  // Starts to shrink what is complete; how many files that are, and how many
  // that were started before were done.
  Result<size_t> Pass();
  // Until a file may have been finished.
  bool Wait(int milliseconds) { return events_.Wait(milliseconds, MayShrink); }
  // Until a file that was started is done; false if there is none.
  bool WaitForStarted();
  void TellWhatIsLeft(const Talk& talk) const;

  size_t shrunk() const { return shrunk_; }
  // Files that the next pass can tell more about: whether they still grow.
  size_t undecided() const { return undecided_; }
  // The last pass met folders whose events were not heard before.
  bool met_folders() const { return met_folders_; }

 private:
  struct Known {
    FileState state;
    std::string why;       // it stays as it is; empty: it was not finished yet
    bool started = false;  // a record is on its way
  };

  // One file on its way.
  struct Job {
    Replacer::Job files;
    std::optional<Error> error;
  };

  bool Ready(const std::string& path, const FileState& state);
  Result<std::vector<Job>> FindReady();
  Status Record(Job& job, const WorkBuffers& buffers) const;
  void Leave(const Replacer::Job& files, const Error& error);
  size_t Finish();

  const WatchOptions& options_;
  const std::atomic<bool>& stop_;
  FolderEvents events_;
  WorkerBuffers buffers_;
  std::unordered_map<std::string, Known> known_;
  size_t shrunk_ = 0, undecided_ = 0;
  bool met_folders_ = false;
  RecordExchange exchange_;
};

// A file that nobody writes to. Where the system cannot tell, one that was the
// same at the last look.
bool Watcher::Ready(const std::string& path, const FileState& state) {
  const auto [at, first] = known_.try_emplace(path, Known{.state = state});
  if (at->second.started) return false;
  const bool same = !first && at->second.state == state;
  if (same && !at->second.why.empty()) return false;
  if (!same) at->second = {.state = state};
  const auto written = BeingWritten(path);
  if (!written && !same) ++undecided_;
  return written ? !*written : same;
}

Result<std::vector<Watcher::Job>> Watcher::FindReady() {
  ASSIGN_OR_RETURN(const Tree tree, WalkTree(options_.folder));
  std::vector<Job> jobs;
  undecided_ = 0;
  met_folders_ = false;
  for (const std::string& folder : tree.folders) {
    if (events_.Add(tree.root + "/" + folder)) met_folders_ = true;
  }
  for (const std::string& file : tree.files) {
    const std::string path = tree.root + "/" + file;
    if (IsForsaken(NameIn(file))) std::remove(path.c_str());
    if (!MayShrink(NameIn(file))) continue;
    const auto state = StateOf(path);
    if (!state || !Ready(path, *state)) continue;
    jobs.push_back({.files = {.from = path, .state = *state}});
  }
  return jobs;
}

Status Watcher::Record(Job& job, const WorkBuffers& buffers) const {
  ASSIGN_OR_RETURN(
      const RecordFile record,
      RecordOf(job.files.from, options_.keep, options_.measure, buffers));
  ASSIGN_OR_RETURN(job.files.temporary, WriteRecord(record, options_.keep));
  job.files.to = record.path;
  return Done{};
}

void Watcher::Leave(const Replacer::Job& files, const Error& error) {
  known_[files.from] = {.state = files.state, .why = error.what};
}

// Takes note of what has become of those; how many.
size_t Watcher::Finish() {
  const auto outcomes = exchange_.TakeDone();
  for (const auto& [files, replaced] : outcomes) {
    if (replaced) {
      known_.erase(files.from);
      shrunk_ += *replaced ? 1 : 0;
    } else {
      Leave(files, replaced.error());
    }
  }
  return outcomes.size();
}

Result<size_t> Watcher::Pass() {
  const size_t finished = Finish();
  ASSIGN_OR_RETURN(std::vector<Job> jobs, FindReady());
  for (const Job& job : jobs) known_[job.files.from].started = true;
  ParallelFor(
      jobs.size(), options_.measure.threads,
      [&](size_t i, size_t worker) {
        const Status done = Record(jobs[i], buffers_.Of(worker));
        if (done) exchange_.Give(jobs[i].files);
        if (!done) jobs[i].error = done.error();
      },
      &stop_);
  size_t left = 0;
  for (const Job& job : jobs) {
    if (!job.error) continue;
    Leave(job.files, *job.error);
    ++left;
  }
  return finished + jobs.size() - left;
}

bool Watcher::WaitForStarted() {
  if (exchange_.Idle()) return false;
  exchange_.WaitForDone();
  return true;
}

void Watcher::TellWhatIsLeft(const Talk& talk) const {
  size_t told = 0, left = 0;
  for (const auto& [path, known] : known_) {
    if (known.why.empty() || !StateOf(path)) continue;
    if (++left <= kShown) {
      talk(fmt::format("left as it is: {}: {}", path, known.why)), ++told;
    }
  }
  if (left > told) talk(fmt::format("left as they are: {} more", left - told));
}

// The job's exit code once it has ended.
std::optional<int> Ended(pid_t job) {
  siginfo_t info = {};
  if (waitid(P_PID, static_cast<id_t>(job), &info,
             WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid != job) {
    return std::nullopt;
  }
  return WaitForChild(job).value_or(2);
}

void SayReplaced(const std::string& from, const std::string& to) {
  fmt::print("Converted: {} -> {}\n", from, to);
  std::fflush(stdout);
}

// Until a file may have been finished, or the job has ended: its code.
std::optional<int> WaitForMore(pid_t job, Watcher& watcher,
                               const std::atomic<bool>& stop) {
  for (int waited = 0; waited < kLookAgainMs; waited += kTickMs) {
    if (job != 0) {
      if (const auto code = Ended(job)) return code;
    }
    if (watcher.Wait(kTickMs) || stop.load()) break;
  }
  return std::nullopt;
}

// Passes until nothing more is to come.
Result<int> Run(const WatchOptions& options, pid_t job, Watcher& watcher,
                const std::atomic<bool>& stop) {
  std::optional<int> code;
  if (job == 0 && options.once) code = 0;
  while (true) {
    ASSIGN_OR_RETURN(const size_t done, watcher.Pass());
    if (stop.load() && job != 0 && !code) kill(job, SIGTERM);
    const bool last = code || (stop.load() && job == 0);
    if (last && watcher.WaitForStarted()) continue;
    const bool again = done > 0 || watcher.met_folders();
    const bool more = again || watcher.undecided() > 0;
    if (last && (!more || stop.load())) return code.value_or(0);
    if (again) continue;
    const auto ended = WaitForMore(code ? 0 : job, watcher, stop);
    if (ended) code = ended;
  }
}

}  // namespace

Result<int> Watch(const WatchOptions& options, const Talk& talk,
                  const std::atomic<bool>& stop) {
  ASSIGN_OR_RETURN(Replacer replacer, Replacer::Start(SayReplaced));
  ASSIGN_OR_RETURN(FolderEvents events, FolderEvents::Open());
  Watcher watcher(options, std::move(replacer), std::move(events), stop);
  pid_t job = 0;
  if (!options.command.empty()) {
    ASSIGN_OR_RETURN(job, StartChild(options.command, {0, 1, 2}));
  }
  const Result<int> code = Run(options, job, watcher, stop);
  watcher.TellWhatIsLeft(talk);
  talk(fmt::format("watch: {} shrunk", Counted(watcher.shrunk(), "file")));
  return code;
}

}  // namespace assay
