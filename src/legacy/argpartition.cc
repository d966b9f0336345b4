#include "legacy/argpartition.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace assay {
namespace {

// Quickselect as NumPy does it: the median of three is the pivot.
class Selection {
 public:
  explicit Selection(std::span<const double> values)
      : values_(values), order_(values.size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  std::vector<uint64_t> Run(uint64_t kth) {
    if (kth < 3) {
      SmallestFirst(kth + 1);
    } else if (kth + 1 == order_.size()) {
      LargestLast();
    } else {
      Narrow(kth);
    }
    return std::move(order_);
  }

 private:
  double At(uint64_t i) const { return values_[order_[i]]; }
  void Swap(uint64_t a, uint64_t b) { std::swap(order_[a], order_[b]); }

  void SmallestFirst(uint64_t n) {
    for (uint64_t i = 0; i < n; ++i) {
      uint64_t smallest = i;
      for (uint64_t k = i + 1; k < order_.size(); ++k) {
        if (At(k) < At(smallest)) smallest = k;
      }
      Swap(i, smallest);
    }
  }

  void LargestLast() {
    uint64_t largest = 0;
    for (uint64_t k = 1; k < order_.size(); ++k) {
      if (!(At(k) < At(largest))) largest = k;
    }
    Swap(order_.size() - 1, largest);
  }

  void Narrow(uint64_t kth) {
    uint64_t low = 0, high = order_.size() - 1;
    while (low + 1 < high) {
      MedianToLow(low, low + (high - low) / 2, high);
      const auto [from, pivot] = Partition(low, high);
      Swap(low, pivot);
      if (pivot >= kth) high = pivot - 1;
      if (pivot <= kth) low = from;
    }
    if (high == low + 1 && At(high) < At(low)) Swap(high, low);
  }

  // The median to `low`, the smallest of the three beside it.
  void MedianToLow(uint64_t low, uint64_t mid, uint64_t high) {
    if (At(high) < At(mid)) Swap(high, mid);
    if (At(high) < At(low)) Swap(high, low);
    if (At(low) < At(mid)) Swap(low, mid);
    Swap(mid, low + 1);
  }

  // Where the larger ones begin, and where the pivot belongs.
  std::pair<uint64_t, uint64_t> Partition(uint64_t low, uint64_t high) {
    const double pivot = At(low);
    uint64_t up = low + 1, down = high;
    while (true) {
      do ++up;
      while (At(up) < pivot);
      do --down;
      while (pivot < At(down));
      if (down < up) return {up, down};
      Swap(up, down);
    }
  }

  std::span<const double> values_;
  std::vector<uint64_t> order_;
};

// Python's order of tuples: the index decides where the values are equal.
bool Less(const RankedError& a, const RankedError& b) {
  return a.value == b.value ? a.index < b.index : a.value < b.value;
}

// Lists below this length are sorted by insertion.
constexpr size_t kMinRun = 64;

// The length of the run that the list begins with, made to go upwards.
size_t TakeRun(std::vector<RankedError>& items) {
  size_t n = std::min<size_t>(2, items.size());
  if (n < 2) return n;
  const bool down = Less(items[1], items[0]);
  while (n < items.size() && Less(items[n], items[n - 1]) == down) ++n;
  if (down) std::reverse(items.begin(), items.begin() + static_cast<long>(n));
  return n;
}

void InsertionSort(std::vector<RankedError>& items) {
  for (size_t i = TakeRun(items); i < items.size(); ++i) {
    const RankedError item = items[i];
    size_t left = 0, right = i;
    while (left < right) {
      const size_t middle = left + (right - left) / 2;
      (Less(item, items[middle]) ? right : left) =
          Less(item, items[middle]) ? middle : middle + 1;
    }
    for (size_t k = i; k > left; --k) items[k] = items[k - 1];
    items[left] = item;
  }
}

}  // namespace

std::vector<uint64_t> Argpartition(std::span<const double> values,
                                   uint64_t kth) {
  return Selection(values).Run(kth);
}

void PythonSortDescending(std::vector<RankedError>& items) {
  if (items.size() < kMinRun) {
    std::ranges::reverse(items);
    InsertionSort(items);
  } else {
    // Where NaN would stand depends on much; here it counts as 0.
    std::ranges::stable_sort(items, [](RankedError a, RankedError b) {
      if (std::isnan(a.value)) a.value = 0;
      if (std::isnan(b.value)) b.value = 0;
      return Less(a, b);
    });
  }
  std::ranges::reverse(items);
}

}  // namespace assay
