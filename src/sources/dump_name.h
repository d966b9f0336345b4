#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

// What the name of an Ascend dump file says:
//   TYPE.OPERATOR.TASK[.STREAM].TIME[.TASKTYPE.CONTEXT.THREAD[.DEVICE]]
// with ".csv" or "_stats.json" behind it for statistics and "_min_max.npz" for
// extremes. Dumps
// of exceptions are called
//   exception_info.STREAM.TASK.TIME
//   KERNEL.STREAM.TASK.CORETYPE.CORE.TIME
// The texts are parts of the name that was parsed; -1 is "does not say".
struct DumpName {
  std::string_view type, op;
  int64_t task = -1, stream = -1;
  int64_t time = -1;  // microseconds since 1970
  int64_t task_type = -1, context = -1, thread = -1, device = -1;
  bool summary = false;  // statistics or extremes, not values

  // One thread's part of a tensor (FFTS+).
  bool IsSlice() const { return task_type == 4; }
  bool IsOverflowRecord() const {
    return type == "Opdebug" && op == "Node_OpDebug";
  }
};

std::optional<DumpName> ParseDumpName(std::string_view file);

// The operator as the graph calls it: without "..._sgt_graph_3_" in front and
// "_lxslice2" behind, which slicing adds.
std::string_view WithoutSliceMarks(std::string_view op);
// The number in a trailing "_lxslice2"; -1 if there is none.
int64_t SliceNumber(std::string_view op);

}  // namespace assay
