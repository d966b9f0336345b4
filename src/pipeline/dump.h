#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "executors/executor.h"
#include "pipeline/dump_inputs.h"
#include "pipeline/dump_record.h"
#include "pipeline/dump_taps.h"

namespace assay {

struct DumpOptions {
  std::string source;  // EXECUTOR:MODEL
  std::string out;     // folder
  TapChoice taps;
  InputOptions inputs;
  TapNames names = TapNames::kPlain;
  std::string to = "npy";  // or npz, safetensors: all taps in one file
  bool isolate = false;
  // Executors with the cut models they have loaded, for `isolate`; null: they
  // serve this dump only.
  ExecutorPool* pool = nullptr;
  uint64_t max_memory = uint64_t{1} << 30;  // for taps held at once
  double time_limit = 600;                  // seconds without a sign of life
  Texts executor_options;
  bool want_ir = false;
  bool check_outputs = true;  // run the untouched model too
  // What happens to a folder that is not empty. kReplace: an earlier dump in it
  // is removed; kAdd: files are written over.
  enum class Existing : uint8_t { kRefuse, kReplace, kAdd };
  Existing existing = Existing::kRefuse;
  int threads = 1;
  bool show_progress = false;
  // Called for every tap when it is done, one at a time.
  std::function<void(const TapRecord&)> on_tap;
};

struct DumpReport {
  RunRecord run;
  std::vector<TapRecord> taps;     // in topological order
  std::vector<std::string> names;  // theirs
  size_t failed = 0;
  std::string ir;
  bool interrupted = false;
};

// Runs a model and leaves a dump folder behind. An error: nothing was run. Taps
// that could not be had are among the taps, with their errors.
Result<DumpReport> DumpModel(const DumpOptions& options,
                             const std::atomic<bool>& stop);

}  // namespace assay
