#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

enum class OmPart : uint32_t {
  kModelDef = 0,
  kFlowModel = 6,
  kFlowSubModel = 7,
  kBundleModel = 24,
};

enum class OmType : uint8_t { kFlow = 3, kLite = 4, kBundle = 5 };

struct OmPartition {
  uint32_t type = 0;
  uint64_t at = 0;  // in the bytes of the model file
  uint64_t size = 0;

  bool Is(OmPart part) const { return type == static_cast<uint32_t>(part); }
};

struct OmModel {
  uint64_t table_at = 0;
  std::vector<OmPartition> partitions;
};

// The frame of an offline model: what is where.
struct OmFile {
  uint32_t version = 0;
  uint8_t type = 0;
  std::string name;
  uint64_t body = 0;  // bytes behind the header
  bool wide = false;  // 64-bit tables
  bool dynamic = false;
  std::vector<OmModel> models;

  bool Is(OmType t) const { return type == static_cast<uint8_t>(t); }
};

// Whether bytes begin like any offline model, also one that is refused.
bool LooksLikeOm(std::string_view head);

// Every size is checked against the bytes. `base` is where they stand in the
// file, for errors.
Result<OmFile> ReadOmFile(std::string_view bytes, std::string_view path,
                          uint64_t base);

}  // namespace assay
