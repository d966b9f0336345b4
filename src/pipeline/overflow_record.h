#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// What an Ascend device writes down when arithmetic overflows. It stands in
// the one output of a dump file called Opdebug.Node_OpDebug.…

struct RecordField {
  std::string_view key;  // "task_id"
  uint64_t value = 0;
};

// What one unit of the device says.
struct UnitRecord {
  std::string_view unit;            // "AI Core", "AIC"
  std::vector<RecordField> fields;  // in the order of the file
  std::vector<uint64_t> status;     // one word, in some versions four

  std::optional<uint64_t> Find(std::string_view key) const;
  bool HasOverflow() const;  // a status word is not zero
};

// Where the newer kind begins with more than the units.
struct RecordHead {
  uint32_t version = 0, valid = 0, reserved = 0, data_bytes = 0;
};

struct OverflowRecord {
  std::optional<RecordHead> head;
  std::vector<UnitRecord> units;   // three in the older kind, else one
  std::vector<std::string> notes;  // what is odd and does no harm
};

// `file` and `base` only place errors: byte `base` of `file` is bytes[0].
Result<OverflowRecord> ParseOverflowRecord(std::string_view bytes,
                                           std::string_view file,
                                           uint64_t base = 0);

// Addresses are told in hexadecimal.
bool IsAddress(std::string_view key);

// As JSON: every field, indented by four spaces, no newline at the end.
std::string RecordJson(const OverflowRecord& record);

}  // namespace assay
