#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/dump.h"
#include "pairing/name_keys.h"
#include "pairing/names.h"

namespace assay {

// The outputs of a dump by operator (normalised and renamed), index, and rank
// and step where both sides know them. Of several dumps of one tensor the
// newest counts.
class OutputIndex {
 public:
  OutputIndex(const Dump& dump, const NameRules& rules, Shared shared);

  // The output of an operator at the place where `at` of the other dump is.
  std::optional<uint32_t> Find(std::string_view op, int32_t index,
                               const TensorId& at) const;
  bool Has(std::string_view op) const;
  // Per tensor: the one that is newer; itself if none is.
  uint32_t NewestOf(uint32_t tensor) const { return newest_[tensor]; }

 private:
  struct Key {
    uint32_t op;
    int32_t index, rank, step;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  Key KeyOf(uint32_t op, int32_t index, const TensorId& at) const;

  Shared shared_;
  const NameRules& rules_;
  std::unordered_map<std::string, uint32_t> ops_;
  std::unordered_map<Key, uint32_t, Hash> tensors_;
  std::vector<uint32_t> newest_;
};

}  // namespace assay
