#include "pipeline/watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <mutex>
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
// Most of the time goes into waiting for the disk.
constexpr int kLeastThreads = 8;
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
        threads_(std::max(options.measure.threads, kLeastThreads)),
        buffers_(threads_) {}

  // Shrinks what is complete; how many files that were.
  Result<size_t> Pass(const std::atomic<bool>& stop);
  void Wait() { events_.Wait(kLookAgainMs); }
  void TellWhatIsLeft(const Talk& talk) const;

  size_t shrunk() const { return shrunk_; }

 private:
  struct Known {
    FileState state;
    std::string why;  // it stays as it is; empty: it was not finished yet
  };

  bool Ready(const std::string& path, const FileState& state);
  Status Shrink(const std::string& path, const FileState& state,
                const WorkBuffers& buffers);

  const WatchOptions& options_;
  Replacer replacer_;
  FolderEvents events_;
  const int threads_;
  WorkerBuffers buffers_;
  std::mutex mutex_;
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

Status Watcher::Shrink(const std::string& path, const FileState& state,
                       const WorkBuffers& buffers) {
  ASSIGN_OR_RETURN(const RecordFile record,
                   RecordOf(path, options_.keep, options_.measure, buffers));
  ASSIGN_OR_RETURN(const std::string temporary,
                   WriteRecord(record, options_.keep));
  if (StateOf(path) != state) {
    std::remove(temporary.c_str());
    return Done{};  // it was written to: later
  }
  const std::lock_guard lock(mutex_);
  RETURN_IF_ERROR(replacer_.Replace(
      {.temporary = temporary, .to = record.path, .from = path}));
  ++shrunk_;
  return Done{};
}

Result<size_t> Watcher::Pass(const std::atomic<bool>& stop) {
  ASSIGN_OR_RETURN(const Tree tree, WalkTree(options_.folder));
  std::vector<std::pair<std::string, FileState>> files;
  std::set<std::string_view> folders = {""};
  for (const std::string& file : tree.files) {
    for (auto up = FolderOf(file); !up.empty(); up = FolderOf(up)) {
      if (!folders.insert(up).second) break;
    }
    const std::string path = tree.root + "/" + file;
    if (IsForsaken(NameIn(file))) std::remove(path.c_str());
    if (!MayShrink(NameIn(file))) continue;
    const auto state = StateOf(path);
    if (state && Ready(path, *state)) files.emplace_back(path, *state);
  }
  for (const std::string_view folder : folders) {
    events_.Add(fmt::format("{}/{}", tree.root, folder));
  }
  const size_t before = shrunk_;
  ParallelFor(
      files.size(), threads_,
      [&](size_t i, size_t worker) {
        const auto& [path, state] = files[i];
        const Status done = Shrink(path, state, buffers_.Of(worker));
        const std::lock_guard lock(mutex_);
        if (done) {
          known_.erase(path);
        } else {
          known_[path] = {state, done.error().what};
        }
      },
      &stop);
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

// Passes until nothing more is to come.
Result<int> Run(const WatchOptions& options, pid_t job, Watcher& watcher,
                const std::atomic<bool>& stop) {
  std::optional<int> code;
  if (job == 0 && options.once) code = 0;
  while (true) {
    if (job != 0 && !code) code = Ended(job);
    if (stop.load() && job != 0 && !code) kill(job, SIGTERM);
    ASSIGN_OR_RETURN(const size_t done, watcher.Pass(stop));
    if (stop.load() && (job == 0 || code)) return code.value_or(0);
    if (done > 0) continue;
    if (code) return *code;
    watcher.Wait();
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
