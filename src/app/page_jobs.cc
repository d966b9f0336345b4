#include "app/page_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/compare_timed.h"
#include "base/json_writer.h"
#include "base/parallel.h"
#include "base/text.h"
#include "executors/executor.h"

namespace assay {
namespace fs = std::filesystem;
namespace {

// What a library throws costs this job, not the server.
template <typename Work>
Result<Comparison> Guarded(const Work& work) {
  try {
    return work();
  } catch (const std::exception& e) {
    return Internal("{}", e.what());
  }
}

}  // namespace

std::string_view PageJobs::Name(State state) {
  static constexpr std::string_view kNames[] = {"running", "done", "failed",
                                                "cancelled"};
  return kNames[static_cast<size_t>(state)];
}

Result<std::string> PageJobs::SourceInside(const std::string& typed) const {
  const size_t colon = typed.find(':');
  const bool run = std::ranges::any_of(AllExecutors(), [&](const Executor* e) {
    return e->name == typed.substr(0, colon);
  });
  if (!run || colon == std::string::npos) return root_.TreeInside(typed);
  ASSIGN_OR_RETURN(const fs::path model, root_.Inside(typed.substr(colon + 1)));
  // Weights may stand in other files of the model's folder.
  RETURN_IF_ERROR(root_.TreeInside(model.parent_path().string()));
  return typed.substr(0, colon + 1) + model.string();
}

// Checked here, before anything is opened.
Status PageJobs::ReadPaths(const JsonReader& json, Wish& wish) const {
  CompareOptions& options = wish.options;
  const struct {
    std::string_view key;
    std::string* place;
    std::string_view option;
  } kPaths[] = {{"golden", &options.golden, ""},
                {"target", &options.target, ""},
                {"graph", &options.graph, "--graph"},
                {"golden_graph", &options.golden_graph, "--golden-graph"},
                {"noise", &options.noise, "--noise"}};
  for (const auto& [key, place, option] : kPaths) {
    const std::string typed = json.Text(key);
    if (typed.empty()) continue;
    ASSIGN_OR_RETURN(*place, SourceInside(typed));
    if (!option.empty()) wish.argv.emplace_back(option);
    wish.argv.push_back(typed);
  }
  return Done{};
}

Result<PageJobs::Wish> PageJobs::ReadForm(const std::string& form) const {
  ASSIGN_OR_RETURN(const Json value, ParseJson(form));
  std::string problem;
  const JsonReader json(value, problem);
  Wish wish{.golden = json.Text("golden"), .target = json.Text("target")};
  if (wish.golden.empty() || wish.target.empty()) {
    return Usage("both a golden and a target source are needed");
  }
  RETURN_IF_ERROR(ReadPaths(json, wish));
  CompareOptions& options = wish.options;
  const std::string dims = json.Text("dims");
  for (const std::string_view dim : Split(dims, ' ')) {
    if (dim.empty()) continue;
    options.models.inputs.dims.emplace_back(dim);
    wish.argv.insert(wish.argv.end(), {"--dim", std::string(dim)});
  }
  for (const std::string& name : json.Texts("metrics")) {
    ASSIGN_OR_RETURN(const Metric* metric, MetricNamed(name));
    options.metrics.push_back(metric);
    options.measure.extras.Need(metric->name);
  }
  wish.advisor = value.value("advisor", Json(true)) != Json(false);
  if (!problem.empty()) return Usage("{}", problem);
  return wish;
}

Result<size_t> PageJobs::Start(const std::string& form) {
  ASSIGN_OR_RETURN(Wish wish, ReadForm(form));
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs_) {
    const std::lock_guard inner(job->mutex);
    if (job->state == State::kRunning) {
      return Usage("another comparison is still running")
          .Hint("cancel it, or wait for it");
    }
  }
  jobs_.push_back(std::make_unique<Job>());
  Job& job = *jobs_.back();
  job.wish = std::move(wish);
  job.thread = std::jthread([this, &job] { Run(job); });
  return jobs_.size() - 1;
}

void PageJobs::Run(Job& job) {
  CompareOptions& options = job.wish.options;
  options.open.threads = options.measure.threads = DefaultThreads();
  options.measure.kernels = AvailableKernels().front();
  options.details = 100;
  options.progress = &job.progress;
  const Talk talk = [&](const std::string& line) {
    const std::lock_guard lock(job.mutex);
    job.lines.push_back(line);
  };
  Result<Comparison> result = Guarded(
      [&] { return CompareTimed(options, job.wish.argv, talk, job.stop); });
  if (result && !job.stop) return Keep(*std::move(result), job);
  const std::lock_guard lock(job.mutex);
  job.state = job.stop ? State::kCancelled : State::kFailed;
  if (!result) job.error = result.error().Text();
}

void PageJobs::Keep(Comparison comparison, Job& job) {
  const Wish& wish = job.wish;
  comparison.golden.source = wish.golden;
  comparison.target.source = wish.target;
  if (!wish.advisor) comparison.findings.clear();
  const size_t number =
      runs_.Add(fmt::format("{} ↔ {}", wish.golden, wish.target),
                std::move(comparison), root_.path().string());
  const std::lock_guard lock(job.mutex);
  job.run = number;
  job.state = State::kDone;
}

Result<PageJobs::Job*> PageJobs::At(size_t number) const {
  const std::lock_guard lock(mutex_);
  if (number >= jobs_.size()) return NotFound("there is no job {}", number);
  return jobs_[number].get();
}

Result<std::string> PageJobs::StateJson(size_t number) const {
  ASSIGN_OR_RETURN(Job* const job, At(number));
  const std::lock_guard lock(job->mutex);
  JsonWriter json;
  json.BeginObject().Key("state").Text(Name(job->state));
  json.Key("lines").BeginArray();
  for (const std::string& line : job->lines) json.Text(line);
  json.EndArray().Key("error").Text(job->error).Key("run");
  job->run ? json.Uint(*job->run) : json.Null();
  const auto total = static_cast<double>(job->progress.total.load());
  const auto done = static_cast<double>(job->progress.done.load());
  json.Key("progress").Real(total > 0 ? std::min(1.0, done / total) : 0);
  return json.EndObject().Take();
}

Result<std::string> PageJobs::Cancel(size_t number) {
  ASSIGN_OR_RETURN(Job* const job, At(number));
  job->stop = true;
  return StateJson(number);
}

void PageJobs::CancelAll() {
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs_) job->stop = true;
}

}  // namespace assay
