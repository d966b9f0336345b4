#include <cstdlib>

#include "pipeline/overflow_record.h"
#include "pipeline/overflow_status.h"

// A record is read and told, or refused with a place and a reason.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto record = assay::ParseOverflowRecord(
      {reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!record) {
    const assay::Error error = record.error();
    if (error.what.empty() || error.offset.value_or(0) > size) abort();
    return 0;
  }
  if (assay::RecordJson(*record).empty()) abort();
  for (const assay::UnitRecord& unit : record->units) {
    if (assay::StatusMeanings(unit).empty()) abort();
  }
  return 0;
}
