#include "executors/ort_options.h"

#include "base/parse_number.h"
#include "base/text.h"

namespace assay::ort {
namespace {

constexpr std::string_view kNames[] = {"level", "threads", "lib", "denormals",
                                       "deterministic"};

Error BadOption(const std::string& key, const std::string& value,
                std::string_view wanted) {
  return Usage("onnxruntime.{}={}: {} is wanted", key, value, wanted);
}

Result<int> Number(const std::string& key, const std::string& value) {
  const auto number = ParseNumber<int>(value);
  if (number && *number >= 0) return *number;
  return BadOption(key, value, "a number");
}

Status ReadOption(const std::string& key, const std::string& value,
                  Options& options) {
  if (key == "lib") {
    options.library = value;
  } else if (key == "level") {
    ASSIGN_OR_RETURN(options.settings.level, Number(key, value));
    const int level = options.settings.level;
    if (level > 2 && level != 99) return BadOption(key, value, "0, 1, 2 or 99");
  } else if (key == "threads") {
    ASSIGN_OR_RETURN(options.settings.threads, Number(key, value));
  } else if (key == "denormals") {
    if (value != "keep" && value != "zero") {
      return BadOption(key, value, "keep or zero");
    }
    options.settings.flush_denormals = value == "zero";
  } else if (key == "deterministic") {
    // How sums are split depends on the number of threads alone.
    ASSIGN_OR_RETURN(const int wanted, Number(key, value));
    if (wanted != 0) options.settings.threads = 1;
  } else {
    return Usage("onnxruntime has no option '{}'", key)
        .Hint(DidYouMean(
            key, kNames,
            "it has level, threads, lib, denormals and deterministic"));
  }
  return Done{};
}

}  // namespace

Result<Options> ReadOptions(const RunRequest& request) {
  Options options;
  for (const auto& [key, value] : request.options) {
    RETURN_IF_ERROR(ReadOption(key, value, options));
  }
  const size_t mark = request.executor.find('@');
  if (mark != std::string::npos) {
    options.library = request.executor.substr(mark + 1);
  }
  return options;
}

}  // namespace assay::ort
