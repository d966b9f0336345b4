#include "core/names.h"

#include <algorithm>
#include <cstring>

namespace assay {
namespace {

constexpr size_t kFirstSlots = 64;
constexpr size_t kBlock = 64 << 10;

uint64_t Mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

uint32_t HashOf(std::string_view text) {
  uint64_t hash = text.size(), word = 0;
  for (; text.size() > sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    hash = Mix(hash, word);
  }
  word = 0;
  if (!text.empty()) std::memcpy(&word, text.data(), text.size());
  return static_cast<uint32_t>(Mix(hash, word));
}

}  // namespace

NamePool::NamePool() : texts_(1), slots_(kFirstSlots) {}

size_t NamePool::SlotOf(std::string_view text, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].id != kNoName &&
         (slots_[at].hash != hash || texts_[slots_[at].id] != text)) {
    at = (at + 1) & mask;
  }
  return at;
}

NameId NamePool::Intern(std::string_view text) {
  if (text.empty()) return kNoName;
  const uint32_t hash = HashOf(text);
  Slot& slot = slots_[SlotOf(text, hash)];
  if (slot.id != kNoName) return slot.id;
  const auto id = static_cast<NameId>(texts_.size());
  slot = {hash, id};
  texts_.push_back(Keep(text));
  if (texts_.size() * 2 > slots_.size()) Grow();
  return id;
}

NameId NamePool::Find(std::string_view text) const {
  if (text.empty()) return kNoName;
  return slots_[SlotOf(text, HashOf(text))].id;
}

std::string_view NamePool::Keep(std::string_view text) {
  if (text.size() > free_bytes_) {
    const size_t bytes = std::max(kBlock, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
    free_ = blocks_.back().get();
    free_bytes_ = bytes;
  }
  std::memcpy(free_, text.data(), text.size());
  const std::string_view kept(free_, text.size());
  free_ += text.size();
  free_bytes_ -= text.size();
  return kept;
}

void NamePool::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kNoName) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].id != kNoName) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace assay
