#include "legacy/detail_top.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "legacy/argpartition.h"

namespace assay {
namespace {

// NumPy's choice needs every error at once; tensors larger than this get the
// last ones of equal errors.
constexpr uint64_t kMostInMemory = uint64_t{1} << 26;

}  // namespace

// What is not finite counts as no error.
double DetailTop::KeyOf(const DetailElement& element) const {
  const double error = element.*error_;
  return std::isfinite(error) ? error : 0;
}

void DetailTop::Add(const DetailElement& element) {
  const auto greater = [this](const DetailElement& a, const DetailElement& b) {
    return KeyOf(a) > KeyOf(b) || (KeyOf(a) == KeyOf(b) && a.index > b.index);
  };
  if (most_ == 0) return;
  if (heap_.size() == most_) {
    if (!greater(element, heap_.front())) {
      rejected_ = std::max(rejected_, KeyOf(element));
      return;
    }
    std::ranges::pop_heap(heap_, greater);
    rejected_ = std::max(rejected_, KeyOf(heap_.back()));
    heap_.pop_back();
  }
  heap_.push_back(element);
  std::ranges::push_heap(heap_, greater);
}

// Equal errors did not all fit, or some error is no number.
bool DetailTop::IsAmbiguous() const {
  if (heap_.empty()) return false;
  if (rejected_ == KeyOf(heap_.front())) return true;
  return std::ranges::any_of(heap_, [this](const DetailElement& element) {
    return std::isnan(element.*error_);
  });
}

Result<std::vector<DetailElement>> DetailTop::Take(uint64_t count,
                                                   const Walk& walk) {
  if (IsAmbiguous() && count <= kMostInMemory) return TakeAsNumpy(count, walk);
  std::ranges::sort(heap_, [this](const auto& a, const auto& b) {
    return std::pair(KeyOf(a), a.index) > std::pair(KeyOf(b), b.index);
  });
  return heap_;
}

Result<std::vector<DetailElement>> DetailTop::TakeAsNumpy(
    uint64_t count, const Walk& walk) const {
  std::vector<double> keys;
  keys.reserve(count);
  RETURN_IF_ERROR(
      walk([&](const DetailElement& e) { keys.push_back(KeyOf(e)); }));
  const uint64_t kth = count - std::min(count, most_);
  const std::vector<uint64_t> order = Argpartition(keys, kth);
  std::unordered_map<uint64_t, DetailElement> chosen;
  for (uint64_t i = kth; i < count; ++i) chosen[order[i]];
  RETURN_IF_ERROR(walk([&](const DetailElement& e) {
    if (const auto at = chosen.find(e.index); at != chosen.end()) {
      at->second = e;
    }
  }));
  std::vector<RankedError> ranked;
  for (uint64_t i = kth; i < count; ++i) {
    ranked.push_back({chosen[order[i]].*error_, order[i]});
  }
  PythonSortDescending(ranked);
  std::vector<DetailElement> out;
  for (const RankedError& item : ranked) out.push_back(chosen[item.index]);
  return out;
}

}  // namespace assay
