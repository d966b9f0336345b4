#include "app/model_options.h"

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

}  // namespace assay
