#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace assay {

using NameId = uint32_t;
inline constexpr NameId kNoName = 0;  // the empty name

// Each distinct text once.
class NamePool {
 public:
  NamePool() { Intern(""); }
  NameId Intern(std::string_view text);
  // The name's number if it is there; kNoName else.
  NameId Find(std::string_view text) const;
  std::string_view operator[](NameId id) const { return texts_[id]; }

 private:
  std::deque<std::string> texts_;  // never moves what it holds
  std::unordered_map<std::string_view, NameId> ids_;
};

}  // namespace assay
