#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "executors/executor.h"
#include "graphs/onnx_file.h"
#include "pipeline/dump_inputs.h"
#include "pipeline/tensor_stats.h"

namespace assay {

// One tap, done or failed, as dump_info.json keeps it.
struct TapRecord {
  uint32_t tap = 0;  // into OnnxFile::taps()
  std::string file, tensor;
  DType dtype = DType::kF32;
  Shape shape;
  TensorStats stats;
  std::optional<Error> error;
};

// Whether the outputs of the untouched model are those of the tapped one.
struct Unchanged {
  std::optional<bool> equal;  // nothing: not looked at
  std::string why;
  double max_abs = 0, rel_l2 = 0;
};

// What is told of the run itself.
struct RunRecord {
  std::string executor, started;
  uint64_t seed = 42;
  bool isolated = false;
  Texts options, facts;
  std::string model_hash;
  std::vector<std::string> input_files;  // below the dump's folder
  std::vector<std::string> notes;
  Unchanged outputs;
  std::string errors;  // the end of the executor's standard error
};

// dump_info.json. It is a whole document at every moment of the run: what
// closes it is written anew behind each entry. At the end it is written once
// more, in the order of the taps.
class DumpRecord {
 public:
  static Result<DumpRecord> Create(const std::string& folder,
                                   const onnx::OnnxFile& file,
                                   const std::vector<BoundInput>& inputs,
                                   const RunRecord& run);

  Status Add(const TapRecord& tap);
  Status Finish(const RunRecord& run, std::vector<TapRecord> taps,
                bool complete);

 private:
  DumpRecord(std::string path, const onnx::OnnxFile& file,
             const std::vector<BoundInput>& inputs)
      : path_(std::move(path)), file_(file), inputs_(inputs) {}
  std::string Head(const RunRecord& run, bool complete) const;
  std::string Entry(const TapRecord& tap) const;

  std::string path_;
  const onnx::OnnxFile& file_;
  const std::vector<BoundInput>& inputs_;
  std::vector<TensorStats> input_stats_;
  std::ofstream out_;
  std::streamoff end_ = 0;  // of the entries
  bool first_ = true;
};

}  // namespace assay
