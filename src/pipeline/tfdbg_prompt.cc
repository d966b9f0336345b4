#include "pipeline/tfdbg_prompt.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/progress.h"
#include "base/pty_child.h"
#include "base/text.h"
#include "codecs/codec.h"
#include "pipeline/capture_tf.h"
#include "pipeline/golden_names.h"
#include "sources/digits.h"

namespace assay {
namespace {

constexpr std::string_view kPrompt = "tfdbg> ";
constexpr std::string_view kSaved = "Saved value to:";
constexpr double kSecondsToEnd = 30;

Result<std::set<int32_t>> ParseSteps(const std::string& text) {
  std::set<int32_t> steps;
  for (const std::string_view word : Split(text, '|')) {
    const auto step = ParseSmall(Trim(word));
    if (!step) return Usage("steps are numbers like 0|5|10, not '{}'", text);
    steps.insert(*step);
  }
  return steps;
}

int64_t MicrosecondsNow() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// A conversation with tfdbg.
class Prompt {
 public:
  Prompt(PtyChild& job, const PromptOptions& options)
      : job_(job), options_(options) {}

  // What it printed before the prompt came (again).
  Result<std::string> Wait() {
    return job_.ReadUntil(kPrompt, options_.seconds);
  }
  Result<std::string> Ask(const std::string& line) {
    RETURN_IF_ERROR(job_.Send(line + "\n"));
    return Wait();
  }

  // Goes on to the end of a step that lies so many runs ahead.
  Result<std::string> Run(int32_t ahead) {
    return Ask(ahead == 1 ? "run" : fmt::format("run -t {}", ahead));
  }

  Result<std::vector<std::string>> Tensors() {
    ASSIGN_OR_RETURN(const std::string text, Ask("lt"));
    return TensorsOfLt(text);
  }

  // Twice, if need be: the prompt drops a line when it is slow. True if saved.
  Result<bool> Save(const std::string& tensor, int repeat,
                    const std::string& path) {
    const std::string line =
        fmt::format("pt {} -n {} -w {}", tensor, repeat, path);
    for (int attempt = 0; attempt < 2; ++attempt) {
      ASSIGN_OR_RETURN(const std::string text, Ask(line));
      if (text.find(kSaved) != std::string::npos) return true;
    }
    return false;
  }

 private:
  PtyChild& job_;
  const PromptOptions& options_;
};

// Text is saved as a pickle of Python, which nobody should open.
bool HoldsNumbers(const std::string& path) {
  const auto listing = ListFile(path, {.bf16_void = true});
  return listing && listing->tensors.size() == 1 &&
         HasNumbers(listing->tensors[0]);
}

// One folder per step if there are several.
Result<std::string> FolderOf(const CapturePlaces& places, int32_t step,
                             size_t steps) {
  std::string folder = steps == 1
                           ? places.golden
                           : fmt::format("{}/step_{}", places.golden, step);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return IoError("{}", failed.message()).At(folder);
  return std::filesystem::absolute(folder).string();
}

// The tensors of some steps, on their way into arrays.
class Steps {
 public:
  Steps(Prompt& prompt, const PromptOptions& options, CaptureReport& report)
      : prompt_(prompt), options_(options), report_(report) {}

  Status Save(const CapturePlaces& places, const std::set<int32_t>& steps) {
    report_.came.push_back({"arrays", places.golden});
    int32_t done = -1;  // the last step that ran
    for (const int32_t step : steps) {
      RETURN_IF_ERROR(prompt_.Run(step - std::exchange(done, step)));
      ASSIGN_OR_RETURN(const std::string folder,
                       FolderOf(places, step, steps.size()));
      RETURN_IF_ERROR(SaveStep(folder));
    }
    return Done{};
  }

 private:
  Status SaveStep(const std::string& folder) {
    ASSIGN_OR_RETURN(const std::vector<std::string> tensors, prompt_.Tensors());
    GoldenNames names(folder);
    std::map<std::string_view, int> seen;
    Progress progress("saving", tensors.size(), Progress::Unit::kItems,
                      options_.show_progress);
    const int64_t time = MicrosecondsNow();
    for (const std::string& tensor : tensors) {
      const std::string path = folder + "/" + names.For(tensor, time);
      ASSIGN_OR_RETURN(const bool saved,
                       prompt_.Save(tensor, seen[tensor]++, path));
      Count(tensor, path, saved);
      report_.tensors.push_back(tensor);
      progress.Add(1);
    }
    return names.WriteMapping();
  }

  void Count(const std::string& tensor, const std::string& path, bool saved) {
    if (saved && HoldsNumbers(path)) {
      ++report_.came.back().files;
      return;
    }
    std::error_code ignored;
    std::filesystem::remove(path, ignored);  // tfdbg may have begun it
    report_.notes.push_back(
        fmt::format("{} {}", tensor,
                    saved ? "holds no numbers, left out" : "was not saved"));
  }

  Prompt& prompt_;
  const PromptOptions& options_;
  CaptureReport& report_;
};

Error NoPrompt(Error error) {
  error.what = fmt::format("the job showed no tfdbg prompt: {}", error.what);
  return error;
}

}  // namespace

Result<CaptureReport> CaptureAtPrompt(const CaptureOptions& options,
                                      const PromptOptions& prompt_options) {
  RETURN_IF_ERROR(PrepareCapture(options));
  ASSIGN_OR_RETURN(
      const std::set<int32_t> steps,
      ParseSteps(options.steps.empty() ? options.config.Text("TF_DUMP_STEP")
                                       : options.steps));
  CaptureReport report;
  const auto start = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(PtyChild job, PtyChild::Start(JobWords(
                                     options.command, PromptEnvironment())));
  Prompt prompt(job, prompt_options);
  auto first = prompt.Wait();
  if (!first) return NoPrompt(std::move(first).error());
  prompt_options.job_printed(
      std::string_view(*first).substr(0, first->size() - kPrompt.size()));
  RETURN_IF_ERROR(
      Steps(prompt, prompt_options, report).Save(PlacesOf(options), steps));
  RETURN_IF_ERROR(job.Send("exit\n"));
  ASSIGN_OR_RETURN(const PtyChild::End end, job.Finish(kSecondsToEnd));
  prompt_options.job_printed(end.rest);
  report.notes.push_back("the job was ended at the prompt after its last step");
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return report;
}

}  // namespace assay
