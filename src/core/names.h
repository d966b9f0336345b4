#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace assay {

using NameId = uint32_t;
inline constexpr NameId kNoName = 0;  // the empty name

// Each distinct text once, in blocks that never move. Graphs and dumps have
// millions: a name costs its bytes and about 32 more.
class NamePool {
 public:
  NamePool();
  NameId Intern(std::string_view text);
  // The name's number if it is there; kNoName else.
  NameId Find(std::string_view text) const;
  std::string_view operator[](NameId id) const { return texts_[id]; }

 private:
  struct Slot {
    uint32_t hash = 0;
    NameId id = kNoName;  // kNoName: free
  };

  // The slot that has the text, or the free one where it belongs.
  size_t SlotOf(std::string_view text, uint32_t hash) const;
  std::string_view Keep(std::string_view text);
  void Grow();

  std::vector<std::string_view> texts_;
  std::vector<Slot> slots_;  // a power of two, half empty
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;  // in the last block
  size_t free_bytes_ = 0;
};

}  // namespace assay
