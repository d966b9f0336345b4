#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "executors/executor.h"
#include "graphs/onnx_file.h"

namespace assay {

// All runs that a dump needs: usually one. After a failure the taps that are
// left are tried in halves, each on a model cut behind it, so that what one
// tap breaks costs that tap; after a hang all but the one it was silent at.
// Cut models lie in `folder`/.cut meanwhile.
class TapRuns {
 public:
  // `request` has everything but the taps. `pool` runs models of single taps,
  // and has those it ran before.
  TapRuns(const onnx::OnnxFile& file, const ModelRun& run, RunRequest request,
          const RunLimits& limits, ExecutorPool& pool);

  // `use` gets every tap once, with its place in `taps`, and every output.
  void Run(const std::vector<RunRequest::Tensor>& taps, bool isolate,
           const std::function<void(RunTensor)>& use);

  // Of the last run that told them.
  const Texts& facts() const { return facts_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::string& ir() const { return ir_; }
  const std::string& errors() const { return errors_; }

 private:
  struct Group {
    std::vector<size_t> places;
    bool cut = false;
  };
  using Use = std::function<void(RunTensor)>;

  void RunWhole(const Use& use);
  void RunIsolated(const Use& use);
  std::vector<size_t> NextCuts(std::deque<size_t>& open, const Use& use);
  std::vector<size_t> OfOneNode(std::deque<size_t>& open) const;
  RunReport RunGroup(const Group& group, const Use& use,
                     std::vector<size_t>& left);
  RunReport Send(const std::vector<size_t>& places, const Use& use,
                 std::vector<size_t>& left);
  Status Cut(const std::vector<size_t>& places, const std::string& path,
             std::vector<RunRequest::Tensor>& out) const;
  void Fail(const std::vector<size_t>& places, const Error& error,
            const Use& use) const;
  std::string CutFolder() const { return request_.folder + "/.cut"; }

  const onnx::OnnxFile& file_;
  const ModelRun& run_;
  RunRequest request_;
  const RunLimits limits_;
  ExecutorPool& pool_;
  bool isolated_ = false;
  size_t cuts_ = 0;
  bool brought_ = false;          // the last run, any tap
  std::optional<Error> refusal_;  // of a tap in the last run
  const std::vector<RunRequest::Tensor>* taps_ = nullptr;
  Texts facts_;
  std::vector<std::string> notes_;
  std::string ir_, errors_;
};

}  // namespace assay
