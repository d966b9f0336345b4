#include "pipeline/dump.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/progress.h"
#include "base/sha256.h"
#include "base/text.h"
#include "executors/tensor_file.h"
#include "graphs/onnx_shapes.h"
#include "pipeline/dump_folder.h"
#include "pipeline/dump_pack.h"
#include "pipeline/dump_unchanged.h"
#include "pipeline/tap_check.h"
#include "pipeline/tap_runs.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::system_clock;

class Dumper {
 public:
  Dumper(const DumpOptions& options, const ModelRun& run,
         const onnx::OnnxFile& file)
      : options_(options), run_(run), file_(file) {}

  Result<DumpReport> Run(const std::atomic<bool>& stop) {
    const auto now = Clock::now();
    ASSIGN_OR_RETURN(taps_, ChooseTaps(file_, options_.taps));
    ASSIGN_OR_RETURN(inputs_, BindInputs(file_, options_.inputs));
    ASSIGN_OR_RETURN(DumpFolder made,
                     DumpFolder::Prepare(options_.out, options_.existing));
    folder_ = fs::absolute(options_.out).lexically_normal().string();
    while (folder_.size() > 1 && folder_.ends_with('/')) folder_.pop_back();
    if (run_.own) FollowShapes();
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
        now.time_since_epoch());
    names_ = TapFileNames(file_, taps_, options_.names, micros.count());
    Describe(now);
    ASSIGN_OR_RETURN(RunRequest request, MakeRequest());
    ASSIGN_OR_RETURN(DumpRecord record,
                     DumpRecord::Create(folder_, file_, inputs_, report_.run));
    record_ = &record;
    RunTaps(std::move(request), stop);
    RETURN_IF_ERROR(PackTaps(folder_, options_.to, file_, report_.taps));
    RETURN_IF_ERROR(journal_);
    report_.interrupted = stop.load();
    AddTails();
    RETURN_IF_ERROR(
        record.Finish(report_.run, report_.taps, !report_.interrupted));
    KeepIfAnyTap(made);
    Tidy();
    return std::move(report_);
  }

 private:
  void FollowShapes() {
    for (const BoundInput& input : inputs_) {
      shapes_.emplace(file_.model().names.Find(input.name), input.shape);
    }
    shapes_ = onnx::ShapesFrom(file_, std::move(shapes_));
  }

  void Describe(Clock::time_point now) {
    RunRecord& run = report_.run;
    run.executor = run_.executor;
    run.started = fmt::format("{:%Y-%m-%d %H:%M:%S}",
                              fmt::localtime(Clock::to_time_t(now)));
    run.seed = options_.inputs.seed;
    run.isolated = options_.isolate;
    run.options = options_.executor_options;
    run.model_hash = Sha256(file_.bytes());
  }

  Result<RunRequest> MakeRequest() {
    RunRequest request{.executor = run_.executor,
                       .model = fs::absolute(file_.path()).string(),
                       .folder = folder_,
                       .options = options_.executor_options,
                       .max_memory = options_.max_memory,
                       .want_ir = options_.want_ir};
    for (const BoundInput& input : inputs_) {
      ASSIGN_OR_RETURN(
          const std::string name,
          WriteTensorFile(folder_,
                          fmt::format("inputs/{}.npy", FileNameOf(input.name)),
                          input.dtype, input.shape, input.bytes));
      report_.run.input_files.push_back(name);
      request.inputs.push_back(
          {input.name, name, std::string(Name(input.dtype)), input.shape});
    }
    const auto& outputs = file_.graph().outputs;
    for (size_t i = 0; options_.check_outputs && i < outputs.size(); ++i) {
      const onnx::Node* maker = file_.MakerOf(outputs[i].name);
      if (maker == nullptr || file_.Text(maker->type) == "Constant") continue;
      request.outputs.push_back(
          {.name = std::string(file_.Text(outputs[i].name)),
           .file = fmt::format("{}/{}.npy", DumpFolder::kPlain, i)});
    }
    return request;
  }

  // The taps, and the model's outputs that are not among them.
  std::vector<RunRequest::Tensor> Wanted(const RunRequest& request) const {
    std::vector<RunRequest::Tensor> wanted;
    for (size_t i = 0; i < taps_.size(); ++i) {
      wanted.push_back(
          {.name = std::string(file_.Text(file_.taps()[taps_[i]].name)),
           .file = fmt::format("outputs/{}.npy", names_[i])});
    }
    for (size_t i = 0; i < request.outputs.size() && !options_.isolate; ++i) {
      const std::string& name = request.outputs[i].name;
      if (std::ranges::find(wanted, name, &RunRequest::Tensor::name) !=
          wanted.end()) {
        continue;
      }
      wanted.push_back(
          {.name = name,
           .file = fmt::format("{}/{}.npy", DumpFolder::kCheck, i)});
    }
    return wanted;
  }

  void RunTaps(RunRequest request, const std::atomic<bool>& stop) {
    const std::vector<RunRequest::Tensor> wanted = Wanted(request);
    OutputCheck check(folder_, wanted, request.outputs);
    Progress progress("dumping", taps_.size(), Progress::Unit::kItems,
                      options_.show_progress);
    ExecutorPool own;
    TapRuns runs(file_, run_, std::move(request), {options_.time_limit, stop},
                 options_.pool != nullptr ? *options_.pool : own);
    {
      const Workers workers(*this, options_.threads);
      runs.Run(wanted, options_.isolate, [&](RunTensor tensor) {
        check.Add(tensor);
        if (tensor.output || tensor.place >= taps_.size()) return;
        progress.Add(1);
        Push(std::move(tensor));
      });
    }
    RunRecord& run = report_.run;
    run.facts = runs.facts();
    run.notes = runs.notes();
    run.errors = runs.errors();
    report_.ir = runs.ir();
    run.outputs = options_.check_outputs ? check.Compare()
                                         : Unchanged{.why = "not asked for"};
  }

  // Workers look at the files while the executor writes the next.
  void Push(RunTensor tensor) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(tensor));
    }
    wake_.notify_one();
  }

  class Workers {
   public:
    Workers(Dumper& owner, int threads) : owner_(owner) {
      for (int i = 0; i < std::max(threads, 1); ++i) {
        threads_.emplace_back([&owner] { owner.Work(); });
      }
    }
    ~Workers() {
      {
        const std::lock_guard lock(owner_.mutex_);
        owner_.closed_ = true;
      }
      owner_.wake_.notify_all();
    }

   private:
    Dumper& owner_;
    std::vector<std::jthread> threads_;
  };

  void Work() {
    const WorkBuffers buffers;
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return closed_ || !queue_.empty(); });
      if (queue_.empty()) return;
      const RunTensor tensor = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      TapRecord record = Examine(tensor, buffers);
      lock.lock();
      Keep(std::move(record));
    }
  }

  void Keep(TapRecord record) {
    if (Status added = record_->Add(record); !added && journal_) {
      journal_ = std::move(added);
    }
    if (options_.on_tap) options_.on_tap(record);
    report_.taps.push_back(std::move(record));
  }

  TapRecord Examine(const RunTensor& tensor, const WorkBuffers& buffers) const {
    TapRecord record{.tap = taps_[tensor.place], .error = tensor.error};
    if (record.error) return record;
    record.file = tensor.file;
    ExpectedTap expected{.file =
                             fmt::format("outputs/{}", names_[tensor.place])};
    const NameId name = file_.taps()[record.tap].name;
    if (!run_.knows_shapes) expected.declared = file_.Known(name);
    if (const auto at = shapes_.find(name); at != shapes_.end()) {
      expected.follows = &at->second;
    }
    Status checked = CheckTap(folder_, tensor, expected, buffers, record);
    if (!checked) record.error = std::move(checked).error();
    return record;
  }

  // What the executor said last may explain what is wrong with a tap.
  void AddTails() {
    const std::string_view tail = Trim(report_.run.errors);
    for (TapRecord& tap : report_.taps) {
      if (!tap.error || !tap.error->hint.empty() || tail.empty()) continue;
      tap.error->hint = ErrorTailText(tail);
    }
  }

  // A mistyped option must not cost the earlier dump.
  void KeepIfAnyTap(DumpFolder& made) {
    const auto good = [](const TapRecord& tap) { return !tap.error; };
    if (std::ranges::any_of(report_.taps, good)) return made.Keep();
    if (!made.HasEarlier()) return;
    report_.run.notes.push_back("no tap was had: the earlier dump stays");
  }

  void Tidy() {
    std::ranges::sort(report_.taps, {}, &TapRecord::tap);
    for (const TapRecord& tap : report_.taps) {
      report_.names.emplace_back(file_.Text(file_.taps()[tap.tap].name));
      report_.failed += tap.error.has_value();
    }
  }

  const DumpOptions& options_;
  const ModelRun& run_;
  const onnx::OnnxFile& file_;
  std::string folder_;
  std::vector<uint32_t> taps_;
  std::vector<BoundInput> inputs_;
  onnx::Shapes shapes_;
  std::vector<std::string> names_;  // of files, without suffix
  DumpReport report_;
  DumpRecord* record_ = nullptr;
  Status journal_ = Done{};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<RunTensor> queue_;
  bool closed_ = false;
};

}  // namespace

Result<DumpReport> DumpModel(const DumpOptions& options,
                             const std::atomic<bool>& stop) {
  ASSIGN_OR_RETURN(const ModelRun run, ParseModelRun(options.source));
  ASSIGN_OR_RETURN(const onnx::OnnxFile file, onnx::OnnxFile::Open(run.model));
  return Dumper(options, run, file).Run(stop);
}

}  // namespace assay
