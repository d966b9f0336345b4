#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/number.h"
#include "core/stored_view.h"
#include "core/tensor.h"
#include "kernel/work_buffers.h"
#include "pipeline/measure.h"

namespace assay {

// What stays of a tensor when its values go.
enum class Keep : uint8_t {
  kMinMax,  // the smallest and the largest value, in NumPy's files
  kStats,   // everything core/tensor_summary.h has room for
};

struct TensorRecord {
  StoredTensor tensor;  // with a summary instead of an extent
  Number min, max;      // as NumPy finds them: NaN if there is one
};

// One pass over the values of a view.
Result<TensorSummary> SummariseView(const StoredView& view,
                                    const MeasureOptions& options,
                                    const WorkBuffers& buffers);

// The file that takes the place of a dump file.
struct RecordFile {
  std::string path;
  std::vector<TensorRecord> tensors;
  bool by_port = false;  // an operator's dump, not one array
};

// Where the record of a dump file stands.
std::string RecordPath(const std::string& path, Keep keep, bool by_port);

// Reads a dump file. An error: it is damaged or not complete yet, or has
// tensors of which a record cannot tell anything; it is to stay as it is.
Result<RecordFile> RecordOf(const std::string& path, Keep keep,
                            const MeasureOptions& options,
                            const WorkBuffers& buffers);

// Into a file of a temporary name, which is returned.
Result<std::string> WriteRecord(const RecordFile& record, Keep keep);

}  // namespace assay
