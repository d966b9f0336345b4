#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/comparison.h"
#include "core/dump.h"
#include "kernel/examine.h"
#include "pipeline/measure.h"
#include "sources/source.h"

namespace assay {

// One tensor, looked at by itself: without the padding of a device layout.
struct TensorLook {
  PairStats stats;             // of the tensor against itself
  LogHistogram magnitudes;     // of |x|
  std::vector<Number> values;  // the first few reals
};

Result<TensorLook> LookAt(const Dump& dump, const TensorInfo& tensor,
                          const MeasureOptions& options, size_t values);

// The first tensor of that name, and whether there are more.
struct FoundTensor {
  const TensorInfo* tensor = nullptr;
  const TensorInfo* next = nullptr;
  size_t count = 0;
};
// By its name, with rank and step or without, its file or its place in that;
// the error names the nearest.
Result<FoundTensor> FindTensor(const Dump& dump, std::string_view name);

// The dumps of a saved run, opened again.
struct RunDumps {
  Dump golden, target;
};
Result<RunDumps> ReopenRun(const Comparison& run, const OpenOptions& options);

// The two tensors of a saved row; the dumps must outlive the job.
Result<MeasureJob> JobOfRow(const RunDumps& dumps, const Row& row);

}  // namespace assay
