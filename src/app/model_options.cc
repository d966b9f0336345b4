#include "app/model_options.h"

#include <fmt/ranges.h>

#include "base/parse_number.h"
#include "base/text.h"

namespace assay {

Result<ModelOptions> ReadModelOptions(const Args& args) {
  ModelOptions options;
  const auto all = [&](std::string_view name) {
    return std::vector<std::string>(args.All(name).begin(),
                                    args.All(name).end());
  };
  options.inputs.inputs = all("input");
  options.inputs.dims = all("dim");
  options.inputs.from = args.Text("inputs-from");
  options.executor_options = all("executor-option");
  for (const std::string& option : options.executor_options) {
    RETURN_IF_ERROR(OptionsOf({option}, ""));  // its form
  }
  if (args.Has("ort-lib")) {
    options.executor_options.push_back("onnxruntime.lib=" +
                                       args.Text("ort-lib"));
  }
  if (const std::string seed = args.Text("seed"); !seed.empty()) {
    const auto number = ParseNumber<uint64_t>(seed);
    if (!number) return Usage("--seed '{}' is no whole number", seed);
    options.inputs.seed = *number;
  }
  ASSIGN_OR_RETURN(options.time_limit,
                   args.Number("time-limit", options.time_limit));
  if (args.Has("max-memory")) {
    options.max_memory =
        ParseBytes(args.Text("max-memory")).value_or(options.max_memory);
  }
  return options;
}

Status CheckExecutorOptions(const Args& args,
                            const std::vector<std::string>& sources) {
  std::vector<std::string> executors;
  for (const std::string& source : sources) {
    if (!IsModelRun(source)) continue;
    ASSIGN_OR_RETURN(const ModelRun run, ParseModelRun(source));
    executors.push_back(run.executor);
  }
  for (const std::string& option : args.All("executor-option")) {
    Texts own;
    for (const std::string& executor : executors) {
      ASSIGN_OR_RETURN(Texts its, OptionsOf({option}, executor));
      own.merge(its);
    }
    if (!own.empty()) continue;
    return Usage("--executor-option '{}' is for none of the executors here",
                 option)
        .Hint(executors.empty()
                  ? "no source is EXECUTOR:MODEL"
                  : fmt::format("they are {}", fmt::join(executors, ", ")));
  }
  return Done{};
}

}  // namespace assay
