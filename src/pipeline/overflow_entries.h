#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/dump.h"
#include "core/number.h"
#include "core/shape.h"
#include "pipeline/measure.h"
#include "pipeline/overflow_files.h"
#include "pipeline/overflow_record.h"
#include "sources/source.h"

namespace assay {

// A tensor of the operator that a record is about. Extremes and mean are those
// of the finite values; none where there are no such values.
struct OverflowTensor {
  std::string name, dtype, layout;
  Shape shape;  // device layouts unpacked
  std::optional<Number> min, max, mean;
  std::optional<uint64_t> nan, inf;
  ErrorRef error;  // set: it could not be read
};

// What one unit of the device wrote down, and about whom.
struct OverflowEntry {
  std::string file;   // of the record, below the folder that was opened
  int64_t time = -1;  // microseconds since 1970
  UnitRecord unit;
  int64_t task = -1, stream = -1;  // -1 is "does not say"
  std::vector<std::string> meanings;
  std::string op, type, dump;  // empty where no dump beside it fits
  std::string why;             // said then
  std::vector<OverflowTensor> tensors;
};

struct OverflowOptions {
  std::string path;
  OpenOptions open;
  MeasureOptions measure;
  size_t first = ~size_t{0};  // tensors are read for so many records
  bool show_progress = false;
};

struct OverflowEntries {
  // The oldest first. A record in which no unit saw anything is here once.
  std::vector<OverflowEntry> records;
  std::vector<DumpNote> notes;  // what is odd about records
  std::vector<Error> errors;    // records and tensors that could not be read
};

// Decodes the records, finds the operators they are about and measures the
// tensors of those.
OverflowEntries ReadOverflows(const OverflowFiles& files,
                              const OverflowOptions& options,
                              const std::atomic<bool>& stop);

}  // namespace assay
