// The C++ side of what `assay dump` and `assay compare` do: open a model, cut
// and mark it, choose its inputs, dump tensors; then read dumps with
// OpenSource() and compare them with CompareSources(). examples/cpp shows all
// of it.
//
// Programs link the CMake target assay::assay. Executors run as children of
// the program `assay`, which the environment variable ASSAY_PROGRAM names
// where it is not the caller itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "graphs/onnx_cut.h"
#include "graphs/onnx_file.h"
#include "graphs/onnx_save.h"
#include "kernel/reduce.h"
#include "pipeline/compare.h"
#include "pipeline/dump.h"
#include "pipeline/run_source.h"
#include "sources/source.h"

namespace assay {

// An ONNX model, the executor that runs it, and its inputs.
class Model {
 public:
  static Result<Model> Open(const std::string& path,
                            const std::string& executor = "onnxruntime") {
    ASSIGN_OR_RETURN(RunFolder folder, RunFolder::Make("", "model"));
    ASSIGN_OR_RETURN(onnx::OnnxFile file, onnx::OnnxFile::Open(path));
    return Model(std::move(file), executor, std::move(folder));
  }

  // Inputs, sizes of open dimensions: see InputOptions. All are random else.
  InputOptions& inputs() { return inputs_; }
  // Of the executor: {"level", "99"}.
  Texts& options() { return options_; }
  // A run of its own for each tensor, on the model cut behind it. Cuts that are
  // loaded stay loaded for the next dump, with the same or other inputs.
  void Isolate(bool on) { isolate_ = on; }
  const onnx::OnnxFile& file() const { return file_; }

  // From now on the model between these tensors; empty: its own ends.
  Status Extract(const std::vector<std::string>& from,
                 const std::vector<std::string>& to) {
    onnx::Cut cut;
    ASSIGN_OR_RETURN(cut.from, Find(from));
    ASSIGN_OR_RETURN(cut.to, Find(to));
    ASSIGN_OR_RETURN(const std::string bytes, onnx::ExtractModel(file_, cut));
    return Become(bytes);
  }

  // From now on these tensors are outputs too.
  Status Mark(const std::vector<std::string>& names) {
    ASSIGN_OR_RETURN(const std::vector<NameId> marks, Find(names));
    return Become(onnx::MarkOutputs(file_, marks));
  }

  // Every tensor.
  Result<DumpReport> DumpFull(const std::string& folder) const {
    return Run("all", folder, TapNames::kTopoidx);
  }

  // The model's outputs, those marked among them, as far as an operator makes
  // them.
  Result<DumpReport> DumpOnce(const std::string& folder) const {
    std::vector<std::string> names;
    const auto& taps = file_.taps();
    for (const onnx::Value& output : file_.graph().outputs) {
      const auto tap = std::ranges::find(taps, output.name, &onnx::Tap::name);
      if (tap != taps.end()) names.emplace_back(file_.Text(output.name));
    }
    return Run(Listed(names), folder, TapNames::kPlain);
  }

  Result<DumpReport> DumpList(const std::vector<std::string>& names,
                              const std::string& folder) const {
    return Run(Listed(names), folder, TapNames::kTopoidx);
  }

  // "12..54/10" by number or name; both ends are always among them.
  Result<DumpReport> DumpRange(const std::string& range,
                               const std::string& folder) const {
    return Run(range, folder, TapNames::kTopoidx);
  }

 private:
  Model(onnx::OnnxFile file, std::string executor, RunFolder folder)
      : file_(std::move(file)),
        executor_(std::move(executor)),
        folder_(std::move(folder)) {}

  Result<std::vector<NameId>> Find(
      const std::vector<std::string>& names) const {
    std::vector<NameId> out;
    for (const std::string& name : names) {
      ASSIGN_OR_RETURN(const NameId id, onnx::FindTensor(file_, name));
      out.push_back(id);
    }
    return out;
  }

  // The files stay until the object goes: a model may be dumped many times.
  Status Become(std::string_view bytes) {
    const std::string path =
        folder_.path() + "/" + std::to_string(edits_++) + ".onnx";
    RETURN_IF_ERROR(onnx::SaveModel(file_, bytes, path));
    ASSIGN_OR_RETURN(file_, onnx::OnnxFile::Open(path));
    return Done{};
  }

  // '=': a name may look like a number.
  static std::string Listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
      text += (text.empty() ? "=" : ",=") + name;
    }
    return text;
  }

  Result<DumpReport> Run(std::string taps, const std::string& folder,
                         TapNames names) const {
    const std::atomic<bool> never = false;
    return DumpModel({.source = executor_ + ":" + file_.path(),
                      .out = folder,
                      .taps = {.taps = std::move(taps)},
                      .inputs = inputs_,
                      .names = names,
                      .isolate = isolate_,
                      .pool = pool_.get(),
                      .executor_options = options_,
                      .existing = DumpOptions::Existing::kReplace},
                     never);
  }

  onnx::OnnxFile file_;
  std::string executor_;
  RunFolder folder_;
  int edits_ = 0;
  InputOptions inputs_;
  Texts options_;
  bool isolate_ = false;
  std::unique_ptr<ExecutorPool> pool_ = std::make_unique<ExecutorPool>();
};

// Two sources, paths or EXECUTOR:MODEL, as `assay compare` does it by default.
// Change what `prepare` is given for anything else.
inline Result<Comparison> CompareSources(
    const std::string& golden, const std::string& target,
    const std::function<void(CompareOptions&)>& prepare = {}) {
  CompareOptions options{.golden = golden, .target = target};
  options.measure.threads = options.open.threads = DefaultThreads();
  options.measure.kernels = AvailableKernels().front();
  if (prepare) prepare(options);
  const std::atomic<bool> never = false;
  return Compare(
      options, [](const std::string&) {}, never);
}

}  // namespace assay
