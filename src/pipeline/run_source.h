#pragma once

#include <atomic>
#include <future>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/dump.h"
#include "pipeline/dump.h"
#include "pipeline/talk.h"
#include "sources/source.h"

namespace assay {

// Everything about sources of the form EXECUTOR:MODEL.
struct ModelOptions {
  InputOptions inputs;
  std::vector<std::string> executor_options;  // EXECUTOR.KEY=VALUE
  double time_limit = 600;
  uint64_t max_memory = uint64_t{1} << 30;
  std::string keep;  // a folder for the dumps; empty: they are removed
};

// Those of one executor.
Result<Texts> OptionsOf(const std::vector<std::string>& options,
                        std::string_view executor);

// A folder that goes with the object, unless it is kept.
class RunFolder {
 public:
  static Result<RunFolder> Make(const std::string& keep, std::string_view name);
  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&&) = delete;
  ~RunFolder();
  const std::string& path() const { return path_; }

 private:
  RunFolder(std::string path, bool keep)
      : path_(std::move(path)), keep_(keep) {}
  std::string path_;
  bool keep_ = false;
};

// A path is opened; a model is run into a folder, which is then opened.
class Sources {
 public:
  Sources(const ModelOptions& models, const OpenOptions& open,
          const std::atomic<bool>& stop)
      : models_(models), open_(open), stop_(stop) {}

  // Begins to open a path that Open will be asked for next but one: what one
  // side does on one thread, the other does beside it.
  void OpenAhead(const std::string& source);

  Result<Dump> Open(std::string_view side, const std::string& source,
                    const Talk& talk);

 private:
  Result<Dump> Run(std::string_view side, const std::string& source,
                   const Talk& talk);

  const ModelOptions& models_;
  const OpenOptions& open_;
  const std::atomic<bool>& stop_;
  std::vector<RunFolder> folders_;  // as long as their dumps are used
  std::string ahead_source_;
  std::future<Result<Dump>> ahead_;
};

}  // namespace assay
