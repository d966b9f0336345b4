#include "memory_file.h"
#include "reports/row_json.h"
#include "reports/run_file.h"

// The first byte picks the parser: a saved run, or one row of it as JSON.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  if (data[0] == 'S') {  // as in "SQLite format 3"
    const assay::MemoryFile file(data, size);
    if (assay::IsRunFile(file.path())) (void)assay::ReadRun(file.path());
  } else {
    (void)assay::RowFromJson({reinterpret_cast<const char*>(data), size});
  }
  return 0;
}
