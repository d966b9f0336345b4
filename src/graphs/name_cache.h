#pragma once

#include <array>
#include <string_view>

#include "base/name_key.h"
#include "core/names.h"

namespace assay {

// Puts names into a pool. The few names that a graph repeats without end are
// found here, without asking the pool.
class NameCache {
 public:
  explicit NameCache(NamePool& pool) : pool_(pool) {}

  NameId Intern(std::string_view text) {
    const uint64_t key = NameKey(text);
    Entry& entry = entries_[key * 0x9e3779b97f4a7c15 >> (64 - kBits)];
    if (entry.key == key && pool_[entry.id] == text) return entry.id;
    entry = {key, pool_.Intern(text)};
    return entry.id;
  }

  const NamePool& pool() const { return pool_; }

 private:
  static constexpr int kBits = 12;
  struct Entry {
    uint64_t key = 0;
    NameId id = kNoName;
  };

  NamePool& pool_;
  std::array<Entry, 1 << kBits> entries_;
};

}  // namespace assay
