#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/shape.h"

namespace assay {

using Texts = std::map<std::string, std::string, std::less<>>;

// What an executor is asked for: see docs/reference/executor-protocol.md.
struct RunRequest {
  struct Input {
    std::string name, file, dtype;
    Shape shape;
  };
  struct Tensor {
    std::string name, file;
    std::string model;  // a tap's own, cut behind it; empty: the request's
    // The same for the same cut of the same model, in any request; empty: not
    // known. An executor that stays may have it loaded.
    std::string session;
  };

  std::string executor;
  std::string model;   // absolute
  std::string folder;  // absolute; what files are relative to
  std::vector<Input> inputs;
  std::vector<Tensor> taps, outputs;
  Texts options;
  uint64_t max_memory = 0;
  bool want_ir = false;
};

// One tensor that it wrote, or failed to.
struct RunTensor {
  bool output = false;  // of RunRequest::outputs, not of taps
  size_t place = 0;     // in that list
  std::string file;
  std::string dtype;
  Shape shape;
  std::optional<Error> error;
  bool reported = false;  // by the executor itself
};

// How it went, apart from the tensors.
struct RunReport {
  std::optional<Error> failure;  // none: it was done
  bool final = false;  // the failure is of any choice of taps, or we stopped it
  bool hung = false;   // it was silent, or printed nonsense, for too long
  bool said = false;   // it told the failure itself
  Texts facts;
  std::vector<std::string> notes;
  std::string ir;
  std::string errors;  // the end of its standard error
};

// The end of an executor's standard error, as a hint.
std::string ErrorTailText(std::string_view tail);

struct RunLimits {
  double seconds;  // without a line
  const std::atomic<bool>& stop;
};

// Starts `words`, hands it the request, and `use`s each tensor of it once, in
// the order they come: what was not reported comes last, with an error.
RunReport RunInChild(const std::vector<std::string>& words,
                     const RunRequest& request, const RunLimits& limits,
                     const std::function<void(RunTensor)>& use);

struct ModelRun;

// Children that stay for the next request, with the models they have loaded:
// cuts of a model are then loaded once, whatever inputs they get. They end with
// the object.
class ExecutorPool {
 public:
  ExecutorPool();
  ~ExecutorPool();
  ExecutorPool(ExecutorPool&&) noexcept;
  ExecutorPool& operator=(ExecutorPool&&) noexcept;

  // As RunInChild(), by the child for this executor and these options, if the
  // executor can stay.
  RunReport Run(const ModelRun& model, const RunRequest& request,
                const RunLimits& limits,
                const std::function<void(RunTensor)>& use);

 private:
  struct Children;
  std::unique_ptr<Children> children_;
};

// What `--check` says.
struct ExecutorState {
  bool usable = false;
  std::string version;
  std::string why;  // not
};

// An executor's side of a run inside this program.
class Answers {
 public:
  virtual ~Answers() = default;
  virtual void Send(const RunTensor& tensor) = 0;
  virtual void Note(std::string_view text) = 0;
};

// What an executor inside this program keeps between requests.
struct Kept {
  virtual ~Kept() = default;
};

// One way to run models.
struct Executor {
  std::string_view name;
  std::string_view summary;
  // The words that start it; `detail` is what stands behind '@' in
  // NAME@DETAIL. An error: it cannot be had here, and why.
  Result<std::vector<std::string>> (*start)(const std::string& detail);
  // Runs in this process, which is then the child; null: another program.
  // The facts, or why it failed as a whole.
  Result<Texts> (*run)(const RunRequest& request, Answers& answers,
                       std::unique_ptr<Kept>& kept) = nullptr;
  // Null: its program says it.
  ExecutorState (*check)() = nullptr;
  // The shapes it gives are the model's, whatever the model declares.
  bool knows_shapes = false;
  // With the further word --stay it answers one request per line.
  bool stays = false;
};

std::span<const Executor* const> AllExecutors();

// The state of one that is here, or why it is not.
ExecutorState CheckExecutor(const Executor& executor);

// EXECUTOR:MODEL, taken apart.
struct ModelRun {
  std::string executor;  // as reports call it
  std::string model;
  std::vector<std::string> words;
  bool knows_shapes = false, stays = false;
  bool own = false;  // a program given by its path
};

// Nothing if the text is a path, or has no colon.
bool IsModelRun(const std::string& text);
Result<ModelRun> ParseModelRun(const std::string& text);

// The child's whole life: a request from `in`, answers to `out`; with `stay`
// one request per line until there is none. The exit code.
int ServeExecutor(std::string_view name, bool stay, int in, int out);

}  // namespace assay
