// The parent's side: start the child, read its lines, account for every tensor.
#include <fmt/format.h>

#include <cstring>
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

class Run {
 public:
  Run(const RunRequest& request, const std::function<void(RunTensor)>& use)
      : request_(request), use_(use) {
    Expect(request.taps, false);
    Expect(request.outputs, true);
  }

  // False after the last line.
  bool Take(const std::string& line) {
    if (Trim(line).empty()) return true;
    Result<Answer> answer = ParseAnswer(line);
    if (!answer) {
      Nonsense(line, answer.error());
      return true;
    }
    switch (answer->kind) {
      case Answer::Kind::kTensor:
        TakeTensor(*std::move(answer), line);
        return true;
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
        return false;
      case Answer::Kind::kDone:
        report_.facts = std::move(answer->facts);
        done_ = true;
        return false;
      default:
        Nonsense(line, Corrupt("it answers no question"));
        return true;
    }
  }

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

  void TakeTensor(Answer answer, const std::string& line) {
    const auto at = waiting_.find(Key(answer.tensor.output, answer.name));
    if (at == waiting_.end()) {
      return Nonsense(line, Corrupt("no such tensor was asked for, or twice"));
    }
    answer.tensor.place = at->second;
    answer.tensor.reported = true;
    waiting_.erase(at);
    use_(std::move(answer.tensor));
  }

  void Nonsense(const std::string& line, const Error& why) {
    if (nonsense_) return;
    nonsense_ = Corrupt(
        "the executor printed a line that is no answer ({}): {}", why.what,
        JsonQuoted(std::string_view(line).substr(0, kQuoted)));
  }

  // The end of standard error, in one hint.
  void AddTail(Error& error) const {
    const std::string_view tail = Trim(report_.errors);
    if (tail.empty()) return;
    error.hint = fmt::format("its standard error ends with:\n{}", tail);
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
    default:
      return Ended(code);
  }
}

}  // namespace

RunReport RunInChild(const std::vector<std::string>& words,
                     const RunRequest& request, const RunLimits& limits,
                     const std::function<void(RunTensor)>& use) {
  Run run(request, use);
  Result<ChildLines> child = ChildLines::Start(words, RequestJson(request));
  if (!child) {
    RunReport report = run.Finish(child.error(), "");
    report.final = true;
    return report;
  }
  while (const auto line = child->Next(limits.seconds, limits.stop)) {
    if (!run.Take(*line)) break;
  }
  const auto why = child->why();
  const Result<int> code = child->Finish();
  RunReport report =
      run.Finish(code ? WhyEnded(why, *code, limits.seconds) : code.error(),
                 ValidUtf8(child->ErrorTail(kTail)));
  // What hung would hang again.
  report.final |=
      why == ChildLines::End::kTimeout || why == ChildLines::End::kStopped;
  return report;
}

}  // namespace assay
