#include "pipeline/watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/child_process.h"
#include "base/file_state.h"
#include "base/folder_events.h"
#include "base/parallel.h"
#include "base/replacer.h"
#include "base/text.h"
#include "sources/digits.h"
#include "sources/dump_name.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr int kLookAgainMs = 500;
constexpr int kJobTickMs = 20;  // the end of the job is seen this soon
// Files that are waited for at the same time: the disk is told to write once
// for many.
constexpr int kWaiting = 64;
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
  Watcher(const WatchOptions& options, Replacer replacer, FolderEvents events)
      : options_(options),
        replacer_(std::move(replacer)),
        events_(std::move(events)),
        buffers_(options.measure.threads) {}

  // Shrinks what is complete; how many files that were.
  Result<size_t> Pass(const std::atomic<bool>& stop);
  bool Wait(int milliseconds) { return events_.Wait(milliseconds); }
  void TellWhatIsLeft(const Talk& talk) const;

  size_t shrunk() const { return shrunk_; }

 private:
  struct Known {
    FileState state;
    std::string why;  // it stays as it is; empty: it was not finished yet
  };

  // One file on its way.
  struct Job {
    std::string path;
    FileState state;
    std::string record, temporary;
    std::optional<Error> error;
  };

  bool Ready(const std::string& path, const FileState& state);
  Result<std::vector<Job>> FindReady();
  Status Record(Job& job, const WorkBuffers& buffers) const;
  Status Replace(const Job& job);
  void Finish(const Job& job);

  const WatchOptions& options_;
  Replacer replacer_;
  FolderEvents events_;
  WorkerBuffers buffers_;
  std::unordered_map<std::string, Known> known_;
  size_t shrunk_ = 0;
};

// A file that nobody writes to. Where the system cannot tell, one that was the
// same at the last look.
bool Watcher::Ready(const std::string& path, const FileState& state) {
  const auto [at, first] = known_.try_emplace(path, Known{.state = state});
  const bool same = !first && at->second.state == state;
  if (same && !at->second.why.empty()) return false;
  if (!same) at->second = {.state = state};
  const auto written = BeingWritten(path);
  return written ? !*written : same;
}

Result<std::vector<Watcher::Job>> Watcher::FindReady() {
  ASSIGN_OR_RETURN(const Tree tree, WalkTree(options_.folder));
  std::vector<Job> jobs;
  std::set<std::string_view> folders = {""};
  for (const std::string& file : tree.files) {
    for (auto up = FolderOf(file); !up.empty(); up = FolderOf(up)) {
      if (!folders.insert(up).second) break;
    }
    const std::string path = tree.root + "/" + file;
    if (IsForsaken(NameIn(file))) std::remove(path.c_str());
    if (!MayShrink(NameIn(file))) continue;
    const auto state = StateOf(path);
    if (state && Ready(path, *state)) jobs.push_back({path, *state});
  }
  for (const std::string_view folder : folders) {
    events_.Add(fmt::format("{}/{}", tree.root, folder));
  }
  return jobs;
}

Status Watcher::Record(Job& job, const WorkBuffers& buffers) const {
  ASSIGN_OR_RETURN(
      const RecordFile record,
      RecordOf(job.path, options_.keep, options_.measure, buffers));
  ASSIGN_OR_RETURN(job.temporary, WriteRecord(record, options_.keep));
  job.record = record.path;
  return Done{};
}

Status Watcher::Replace(const Job& job) {
  if (StateOf(job.path) != job.state) {
    std::remove(job.temporary.c_str());
    return Done{};  // it was written to: later
  }
  RETURN_IF_ERROR(replacer_.Replace(
      {.temporary = job.temporary, .to = job.record, .from = job.path}));
  ++shrunk_;
  return Done{};
}

void Watcher::Finish(const Job& job) {
  const Status done = job.error ? Status(*job.error) : Replace(job);
  if (done) {
    known_.erase(job.path);
  } else {
    known_[job.path] = {job.state, done.error().what};
  }
}

Result<size_t> Watcher::Pass(const std::atomic<bool>& stop) {
  const size_t before = shrunk_;
  ASSIGN_OR_RETURN(std::vector<Job> jobs, FindReady());
  const auto each = [&](int threads, const auto& step) {
    ParallelFor(jobs.size(), threads, [&](size_t i, size_t worker) {
      if (jobs[i].error || stop.load()) return;
      const Status done = step(jobs[i], worker);
      if (!done) jobs[i].error = done.error();
    });
  };
  each(options_.measure.threads, [&](Job& job, size_t worker) {
    return Record(job, buffers_.Of(worker));
  });
  std::erase_if(jobs, [](const Job& job) {  // the signal came first
    return job.temporary.empty() && !job.error;
  });
  each(kWaiting, [](Job& job, size_t) { return SyncFile(job.temporary); });
  for (const Job& job : jobs) {
    if (stop.load()) {
      std::remove(job.temporary.c_str());
    } else {
      Finish(job);
    }
  }
  return shrunk_ - before;
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
std::optional<int> WaitForMore(pid_t job, Watcher& watcher) {
  if (job == 0) return watcher.Wait(kLookAgainMs), std::nullopt;
  for (int waited = 0; waited < kLookAgainMs; waited += kJobTickMs) {
    if (const auto code = Ended(job)) return code;
    if (watcher.Wait(kJobTickMs)) break;
  }
  return std::nullopt;
}

// Passes until nothing more is to come.
Result<int> Run(const WatchOptions& options, pid_t job, Watcher& watcher,
                const std::atomic<bool>& stop) {
  std::optional<int> code;
  if (job == 0 && options.once) code = 0;
  while (true) {
    ASSIGN_OR_RETURN(const size_t done, watcher.Pass(stop));
    if (stop.load() && job != 0 && !code) kill(job, SIGTERM);
    if (stop.load() && (job == 0 || code)) return code.value_or(0);
    if (done > 0) continue;
    if (code) return *code;
    code = WaitForMore(job, watcher);
  }
}

}  // namespace

Result<int> Watch(const WatchOptions& options, const Talk& talk,
                  const std::atomic<bool>& stop) {
  ASSIGN_OR_RETURN(Replacer replacer, Replacer::Start(SayReplaced));
  ASSIGN_OR_RETURN(FolderEvents events, FolderEvents::Open());
  Watcher watcher(options, std::move(replacer), std::move(events));
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
