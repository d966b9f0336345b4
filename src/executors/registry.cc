#include <fmt/format.h>

#include <filesystem>

#include "base/child_process.h"
#include "base/text.h"
#include "executors/executor.h"
#include "executors/protocol.h"
#include "executors/python_words.h"

namespace assay {

extern const Executor kOnnxRuntime, kOpenvino, kTvm, kSdaa, kOnnxReference;
constinit const Executor* const kExecutors[] = {&kOnnxRuntime, &kOpenvino,
                                                &kTvm, &kSdaa, &kOnnxReference};

std::span<const Executor* const> AllExecutors() { return kExecutors; }

namespace {

namespace fs = std::filesystem;

bool Exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

const Executor* Find(std::string_view name) {
  for (const Executor* executor : kExecutors) {
    if (executor->name == name) return executor;
  }
  return nullptr;
}

bool IsProgram(std::string_view text) {
  return text.find('/') != std::string_view::npos;
}

// EXECUTOR, @DETAIL and MODEL of a text. A library or a program may have a
// colon in its path; the first split whose left side makes sense counts.
struct Parts {
  std::string executor, detail, model;
};

std::optional<Parts> TakeApart(const std::string& text) {
  for (size_t at = text.find(':'); at != std::string::npos;
       at = text.find(':', at + 1)) {
    const std::string left = text.substr(0, at);
    Parts parts{.executor = left, .model = text.substr(at + 1)};
    if (const size_t mark = left.find('@'); mark != std::string::npos) {
      parts.executor = left.substr(0, mark);
      parts.detail = left.substr(mark + 1);
    }
    if (Find(parts.executor) != nullptr &&
        (parts.detail.empty() || Exists(parts.detail))) {
      return parts;
    }
    if (IsProgram(left) && Exists(left)) return Parts{left, "", parts.model};
  }
  return std::nullopt;
}

Error Unknown(const std::string& text) {
  if (text.find(':') == std::string::npos) {
    return Usage("which executor is to run '{}'?", text)
        .Hint(fmt::format("as onnxruntime:{}; 'assay list executors' shows all",
                          text));
  }
  std::vector<std::string_view> names;
  for (const Executor* executor : kExecutors) names.push_back(executor->name);
  const std::string name = text.substr(0, text.find(':'));
  if (const size_t mark = name.find('@');
      mark != std::string::npos && Find(name.substr(0, mark)) != nullptr) {
    return NotFound("no such library").At(name.substr(mark + 1));
  }
  if (IsProgram(name)) return NotFound("no such executor").At(name);
  return NotFound("no executor '{}'", name)
      .Hint(DidYouMean(name, names, "'assay list executors' shows all"));
}

Result<std::vector<std::string>> ProgramWords(const std::string& path) {
  if (path.ends_with(".py")) return PythonWords({path});
  return std::vector<std::string>{path};
}

}  // namespace

bool IsModelRun(const std::string& text) {
  if (Exists(text)) return false;
  const size_t colon = text.find(':');
  // "dumps/a:b" is a path with a colon unless its left side is a program.
  return colon != std::string::npos && colon > 0 &&
         (TakeApart(text) || !IsProgram(text.substr(0, colon)));
}

Result<ModelRun> ParseModelRun(const std::string& text) {
  const auto parts = TakeApart(text);
  if (!parts) return Unknown(text);
  ModelRun run{.executor = parts->executor, .model = parts->model};
  const Executor* executor = Find(parts->executor);
  ASSIGN_OR_RETURN(run.words, executor != nullptr
                                  ? executor->start(parts->detail)
                                  : ProgramWords(parts->executor));
  if (executor != nullptr) {
    run.knows_shapes = executor->knows_shapes;
    run.stays = executor->stays;
  }
  run.own = executor == nullptr;
  if (!parts->detail.empty()) run.executor += "@" + parts->detail;
  return run;
}

ExecutorState CheckExecutor(const Executor& executor) {
  if (executor.check != nullptr) return executor.check();
  auto words = executor.start("");
  if (!words) return {.why = words.error().what};
  words->push_back("--check");
  const auto ran = RunChild(*words, "");
  if (!ran) return {.why = ran.error().what};
  for (const std::string_view line : Split(ran->out, '\n')) {
    const auto answer = ParseAnswer(line);
    if (answer && answer->kind == Answer::Kind::kCheck) return answer->state;
  }
  const auto lines = Split(Trim(ran->err), '\n');
  return {.why = fmt::format("it does not answer --check: {}", lines.back())};
}

}  // namespace assay
