// The parent's side: start the child, read its lines, account for every tensor.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <tuple>
#include <unordered_map>

#include "base/child_lines.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "base/utf8.h"
#include "executors/executor.h"
#include "executors/protocol.h"

namespace assay {
namespace {

constexpr size_t kTail = 2000;  // bytes of standard error that are kept
constexpr size_t kMostNotes = 100;
constexpr size_t kQuoted = 80;
constexpr size_t kMostIdle = 100'000;  // lines in a row that bring nothing

class Run {
 public:
  Run(const RunRequest& request, const std::function<void(RunTensor)>& use)
      : request_(request), use_(use) {
    Expect(request.taps, false);
    Expect(request.outputs, true);
  }

  // False after the last line.
  bool Take(const std::string& line) {
    if (Trim(line).empty()) return Idle();
    Result<Answer> answer = ParseAnswer(line);
    if (!answer) return Nonsense(line, answer.error());
    switch (answer->kind) {
      case Answer::Kind::kTensor:
        return TakeTensor(*std::move(answer), line);
      case Answer::Kind::kIr:
        report_.ir = std::move(answer->text);
        return true;
      case Answer::Kind::kNote:
        if (report_.notes.size() < kMostNotes) {
          report_.notes.push_back(std::move(answer->text));
        }
        return true;
      case Answer::Kind::kError:
        report_.failure = Unsupported("{}", answer->text);
        report_.final = answer->final;
        report_.said = true;
        return false;
      case Answer::Kind::kDone:
        report_.facts = std::move(answer->facts);
        done_ = true;
        return false;
      default:
        return Nonsense(line, Corrupt("it answers no question"));
    }
  }

  bool done() const { return done_; }
  bool hung() const { return report_.hung; }

  // What was left out gets the reason.
  RunReport Finish(std::optional<Error> end, std::string errors) {
    report_.errors = std::move(errors);
    if (!report_.failure && !done_) report_.failure = std::move(end);
    if (nonsense_ && !waiting_.empty() && !report_.failure) {
      report_.failure = nonsense_;
    } else if (nonsense_ && report_.failure && !done_) {
      report_.failure->what +=
          fmt::format("; before that, {}", nonsense_->what);
    }
    if (report_.failure) AddTail(*report_.failure);
    for (const bool output : {false, true}) {
      const auto& list = output ? request_.outputs : request_.taps;
      for (size_t i = 0; i < list.size(); ++i) {
        if (!waiting_.contains(Key(output, list[i].name))) continue;
        use_({.output = output, .place = i, .error = LeftOut()});
      }
    }
    return std::move(report_);
  }

 private:
  static std::string Key(bool output, std::string_view name) {
    return fmt::format("{}{}", output ? 'o' : 't', name);
  }
  void Expect(const std::vector<RunRequest::Tensor>& list, bool output) {
    for (size_t i = 0; i < list.size(); ++i) {
      waiting_.emplace(Key(output, list[i].name), i);
    }
  }

  bool TakeTensor(Answer answer, const std::string& line) {
    const auto at = waiting_.find(Key(answer.tensor.output, answer.name));
    if (at == waiting_.end()) {
      return Nonsense(line, Corrupt("no such tensor was asked for, or twice"));
    }
    answer.tensor.place = at->second;
    answer.tensor.reported = true;
    waiting_.erase(at);
    idle_ = 0;
    use_(std::move(answer.tensor));
    return true;
  }

  bool Nonsense(const std::string& line, const Error& why) {
    if (!nonsense_) {
      nonsense_ = Corrupt(
          "the executor printed a line that is no answer ({}): {}", why.what,
          JsonQuoted(std::string_view(line).substr(0, kQuoted)));
    }
    return Idle();
  }

  // One that prints on and on is never silent, and never done.
  bool Idle() {
    if (++idle_ < kMostIdle) return true;
    report_.hung = true;
    report_.failure = Corrupt(
        "the executor printed {} lines in a row that are no answer, and was "
        "killed",
        kMostIdle);
    return false;
  }

  // The end of standard error, in one hint.
  void AddTail(Error& error) const {
    const std::string_view tail = Trim(report_.errors);
    if (tail.empty()) return;
    error.hint = ErrorTailText(tail);
  }

  Error LeftOut() const {
    if (report_.failure) return *report_.failure;
    return Corrupt("the executor was done without it");
  }

  const RunRequest& request_;
  const std::function<void(RunTensor)>& use_;
  std::unordered_map<std::string, size_t> waiting_;
  std::optional<Error> nonsense_;
  bool done_ = false;
  size_t idle_ = 0;
  RunReport report_;
};

Error Ended(int code) {
  if (code > 128) {
    return Corrupt("the executor died of signal {} ({})", code - 128,
                   strsignal(code - 128));
  }
  return Corrupt("the executor ended with code {} before it was done", code);
}

Error WhyEnded(ChildLines::End end, int code, double seconds) {
  switch (end) {
    case ChildLines::End::kTimeout:
      return Corrupt("the executor was silent for {} and was killed",
                     Counted(static_cast<uint64_t>(seconds), "second"));
    case ChildLines::End::kStopped:
      return MakeError(ErrorCode::kInterrupted, "interrupted");
    case ChildLines::End::kTooLong:
      return Corrupt("the executor printed a line of more than {}",
                     BytesText(ChildLines::kLongest));
    case ChildLines::End::kStayed:
      return Corrupt(
          "the executor closed its output before it was done, stayed, and was "
          "killed");
    default:
      return Ended(code);
  }
}

// Not even started.
RunReport Refused(Run& run, const Error& error) {
  RunReport report = run.Finish(error, "");
  report.final = true;
  return report;
}

// Reads answers; true if the last of them is `done`.
bool Listen(ChildLines& child, const RunLimits& limits, Run& run) {
  while (const auto line = child.Next(limits.seconds, limits.stop)) {
    if (!run.Take(*line)) break;
  }
  if (run.hung()) child.Kill();
  return run.done();
}

RunReport End(ChildLines& child, const RunLimits& limits, Run& run) {
  const Result<int> code = child.Finish();
  const auto why = child.why();
  RunReport report =
      run.Finish(code ? WhyEnded(why, *code, limits.seconds) : code.error(),
                 ValidUtf8(child.ErrorTail(kTail)));
  report.hung |= why == ChildLines::End::kTimeout;
  report.final |= why == ChildLines::End::kStopped;
  return report;
}

}  // namespace

std::string ErrorTailText(std::string_view tail) {
  return fmt::format("its standard error ends with:\n{}", tail);
}

RunReport RunInChild(const std::vector<std::string>& words,
                     const RunRequest& request, const RunLimits& limits,
                     const std::function<void(RunTensor)>& use) {
  Run run(request, use);
  Result<ChildLines> child = ChildLines::Start(words, RequestJson(request));
  if (!child) return Refused(run, child.error());
  Listen(*child, limits, run);
  return End(*child, limits, run);
}

// By the words that start them and the options they were given: what is loaded
// depends on both.
struct ExecutorPool::Children {
  std::map<std::string, ChildLines> by_key;
};

ExecutorPool::ExecutorPool() : children_(std::make_unique<Children>()) {}
ExecutorPool::ExecutorPool(ExecutorPool&&) noexcept = default;
ExecutorPool& ExecutorPool::operator=(ExecutorPool&&) noexcept = default;

ExecutorPool::~ExecutorPool() {
  if (children_ == nullptr) return;  // moved from
  for (auto& [key, child] : children_->by_key) std::ignore = child.Finish();
}

RunReport ExecutorPool::Run(const ModelRun& model, const RunRequest& request,
                            const RunLimits& limits,
                            const std::function<void(RunTensor)>& use) {
  if (!model.stays) return RunInChild(model.words, request, limits, use);
  assay::Run run(request, use);
  RunRequest settings{.executor = request.executor, .options = request.options};
  const std::string key = fmt::format("{}\n{}", fmt::join(model.words, "\n"),
                                      RequestJson(settings));
  auto& children = children_->by_key;
  auto at = children.find(key);
  if (at == children.end()) {
    std::vector<std::string> words = model.words;
    words.push_back("--stay");
    Result<ChildLines> child = ChildLines::StartTalking(words);
    if (!child) return Refused(run, child.error());
    at = children.emplace(key, *std::move(child)).first;
  }
  ChildLines& child = at->second;
  if (child.Send(RequestJson(request) + "\n") && Listen(child, limits, run)) {
    return run.Finish(std::nullopt, ValidUtf8(child.ErrorTail(kTail)));
  }
  RunReport report = End(child, limits, run);
  children.erase(at);
  return report;
}

}  // namespace assay
