#include "pipeline/run_source.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// "openvino" of "openvino", "onnxruntime" of "onnxruntime@lib.so", "mine" of
// "./mine.py": what options are called by.
std::string ShortName(std::string_view executor) {
  if (executor.find('/') != std::string_view::npos) {
    return fs::path(executor).stem().string();
  }
  return std::string(executor.substr(0, executor.find('@')));
}

}  // namespace

Result<Texts> OptionsOf(const std::vector<std::string>& options,
                        std::string_view executor) {
  Texts out;
  for (const std::string& option : options) {
    const size_t equals = option.find('=');
    const size_t dot = option.find('.');
    if (equals == std::string::npos || dot == std::string::npos ||
        dot > equals) {
      return Usage("--executor-option '{}' is not EXECUTOR.KEY=VALUE", option);
    }
    if (option.substr(0, dot) != ShortName(executor)) continue;
    out[option.substr(dot + 1, equals - dot - 1)] = option.substr(equals + 1);
  }
  return out;
}

Result<RunFolder> RunFolder::Make(const std::string& keep,
                                  std::string_view name) {
  std::error_code failed;
  if (!keep.empty()) {
    const std::string path = fmt::format("{}/{}", keep, name);
    fs::create_directories(path, failed);
    if (!failed) return RunFolder(path, true);
    return IoError("cannot make the folder: {}", failed.message()).At(path);
  }
  std::string path =
      (fs::temp_directory_path(failed) / "assay-run-XXXXXX").string();
  if (mkdtemp(path.data()) != nullptr) return RunFolder(path, false);
  return IoError("cannot make a folder for the tensors of a model")
      .At(path)
      .Hint("TMPDIR names the folder for it");
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")), keep_(other.keep_) {}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (!keep_ && !path_.empty()) fs::remove_all(path_, ignored);
}

void Sources::OpenAhead(const std::string& source) {
  if (IsModelRun(source) || open_.threads < 2) return;
  OpenOptions quiet = open_;
  quiet.show_progress = false;  // the other side shows its own
  ahead_source_ = source;
  ahead_ = std::async(std::launch::async,
                      [source, quiet] { return OpenSource(source, quiet); });
}

Result<Dump> Sources::Open(std::string_view side, const std::string& source,
                           const Talk& talk) {
  if (ahead_.valid() && source == ahead_source_) return ahead_.get();
  if (IsModelRun(source)) return Run(side, source, talk);
  return OpenSource(source, open_);
}

Result<Dump> Sources::Run(std::string_view side, const std::string& source,
                          const Talk& talk) {
  ASSIGN_OR_RETURN(const ModelRun run, ParseModelRun(source));
  ASSIGN_OR_RETURN(RunFolder folder, RunFolder::Make(models_.keep, side));
  DumpOptions options{.source = source,
                      .out = folder.path(),
                      .inputs = models_.inputs,
                      .max_memory = models_.max_memory,
                      .time_limit = models_.time_limit,
                      .threads = open_.threads,
                      .show_progress = open_.show_progress};
  ASSIGN_OR_RETURN(options.executor_options,
                   OptionsOf(models_.executor_options, run.executor));
  ASSIGN_OR_RETURN(const DumpReport report, DumpModel(options, stop_));
  const auto version = report.run.facts.find("version");
  talk(fmt::format(
      "{}: ran {}{}, {} of {}{}", side, run.executor,
      version == report.run.facts.end() ? "" : " " + version->second,
      report.taps.size() - report.failed, Counted(report.taps.size(), "tap"),
      report.run.outputs.equal.value_or(true) ? ""
                                              : "; " + report.run.outputs.why));
  for (const std::string& note : report.run.notes) {
    talk(fmt::format("{}: {}", side, note));
  }
  ASSIGN_OR_RETURN(Dump dump, OpenSource(folder.path(), open_));
  dump.source = source;
  folders_.push_back(std::move(folder));
  return dump;
}

}  // namespace assay
