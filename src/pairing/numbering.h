#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

inline constexpr uint32_t kNoNumber = ~uint32_t{0};

// Numbers values from 0: equal values have one number. A flat table, because
// there may be as many as tensors.
template <typename T, typename Hash = std::hash<T>>
class Numbering {
 public:
  void Reserve(size_t values) { values_.reserve(values); }
  uint32_t Add(const T& value) {
    if (2 * (values_.size() + 1) > slots_.size()) Grow();
    uint32_t& slot = slots_[SlotOf(value)];
    if (slot == kNoNumber) {
      slot = static_cast<uint32_t>(values_.size());
      values_.push_back(value);
    }
    return slot;
  }
  // kNoNumber: it was never added.
  uint32_t Find(const T& value) const {
    return slots_.empty() ? kNoNumber : slots_[SlotOf(value)];
  }
  size_t size() const { return values_.size(); }

 private:
  size_t SlotOf(const T& value) const {
    const size_t mask = slots_.size() - 1;  // a power of two
    size_t at = Mixed(Hash{}(value)) & mask;
    while (slots_[at] != kNoNumber && !(values_[slots_[at]] == value)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  static size_t Mixed(uint64_t hash) {
    hash ^= hash >> 32;
    hash *= 0x9E3779B97F4A7C15u;
    return static_cast<size_t>(hash ^ (hash >> 29));
  }

  void Grow() {
    constexpr size_t kFirst = 64;
    slots_.assign(slots_.empty() ? kFirst : 2 * slots_.size(), kNoNumber);
    for (uint32_t i = 0; i < values_.size(); ++i)
      slots_[SlotOf(values_[i])] = i;
  }

  std::vector<T> values_;
  std::vector<uint32_t> slots_;  // numbers of values
};

// Numbers for texts. Those that live elsewhere long enough are not copied.
class TextNumbers {
 public:
  uint32_t Add(std::string_view lasting) { return numbers_.Add(lasting); }
  uint32_t AddCopy(std::string text) {
    const uint32_t known = numbers_.Find(text);
    if (known != kNoNumber) return known;
    return numbers_.Add(copies_.emplace_back(std::move(text)));
  }

 private:
  std::deque<std::string> copies_;
  Numbering<std::string_view> numbers_;
};

}  // namespace assay
