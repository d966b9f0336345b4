#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codecs/ascend_builder.h"

namespace assay {

inline std::string Words(const std::vector<uint64_t>& words) {
  std::string bytes;
  for (const uint64_t word : words) bytes += Little(word, 8);
  return bytes;
}

// What a new record begins with.
inline std::string RecordHeadBytes(uint32_t version, uint32_t unit,
                                   uint32_t data, uint32_t valid = 1) {
  std::string bytes;
  for (const uint32_t word : {0x5a5a5a5au, version, valid, unit, 0u, data}) {
    bytes += Little(word, 4);
  }
  return bytes;
}

// Of an AIC.
struct RecordIds {
  uint64_t task = 7, stream = 3, context = 0, thread = 0;
};
inline std::string CoreRecordBytes(const RecordIds& ids, uint64_t status) {
  return RecordHeadBytes(0, 0, 88) +
         Words({1, ids.stream, ids.task, 0, ids.context, ids.thread, 0xa000,
                0xb000, 7, 2, status});
}

// Of the old kind: 16 words for each unit, then their status.
struct OldUnit {
  uint64_t task = 0, stream = 0, status = 0;
};
inline std::string OldRecordBytes(const OldUnit& dha, const OldUnit& l2,
                                  const OldUnit& core) {
  const auto padded = [](std::string bytes, size_t size) {
    bytes.resize(size);
    return bytes;
  };
  std::string bytes;
  for (const OldUnit& unit : {dha, l2, core}) {
    bytes = padded(bytes + Words({1, unit.stream, unit.task, 0, 16, 32}),
                   bytes.size() + 128);
  }
  bytes = padded(bytes, 512) + Words({dha.status});
  bytes = padded(bytes, 768) + Words({l2.status});
  return padded(padded(bytes, 1024) + Words({0xdead, 6, core.status}), 2048);
}

// A dump file whose one output is these bytes.
inline std::string RecordDump(const std::string& record) {
  return Dump2(Output(4, {record.size()}, record.size())) + record;
}

}  // namespace assay
