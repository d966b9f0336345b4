#pragma once

#include <string>

#include "executors/executor.h"
#include "graphs/onnx_file.h"
#include "kernel/work_buffers.h"
#include "pipeline/dump.h"

namespace assay {

// What a dump knows of a tap before it is run.
struct ExpectedTap {
  std::string file;  // below the dump's folder, without suffix
  const onnx::Value* declared = nullptr;  // null: nothing is
  const Shape* follows = nullptr;  // from the inputs' shapes; null: not known
};

// Reads the file of a tap, which must be what the executor said it is, and what
// was expected, and fills in type, shape and statistics.
Status CheckTap(const std::string& folder, const RunTensor& said,
                const ExpectedTap& expected, const WorkBuffers& buffers,
                TapRecord& record);

}  // namespace assay
