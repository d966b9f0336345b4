#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace assay {

// The decoded chunks that were used last, by number. They take at most `limit`
// bytes together; one is always kept, since it was in memory anyway.
class KeptChunks {
 public:
  explicit KeptChunks(size_t limit) : limit_(limit) {}

  // Null if it is not kept. Valid until the next Keep().
  const std::string* Find(uint64_t number) {
    const auto found = places_.find(number);
    if (found == places_.end()) return nullptr;
    chunks_.splice(chunks_.begin(), chunks_, found->second);
    return &chunks_.front().second;
  }

  // Makes room for `bytes` before they are decoded.
  void MakeRoom(size_t bytes) {
    while (!chunks_.empty() && bytes_ + bytes > limit_) {
      bytes_ -= chunks_.back().second.size();
      places_.erase(chunks_.back().first);
      chunks_.pop_back();
    }
  }

  const std::string& Keep(uint64_t number, std::string values) {
    bytes_ += values.size();
    chunks_.emplace_front(number, std::move(values));
    places_[number] = chunks_.begin();
    return chunks_.front().second;
  }

 private:
  using List = std::list<std::pair<uint64_t, std::string>>;  // newest first

  size_t limit_;
  size_t bytes_ = 0;
  List chunks_;
  std::unordered_map<uint64_t, List::iterator> places_;
};

}  // namespace assay
