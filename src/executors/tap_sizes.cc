#include "executors/tap_sizes.h"

#include <algorithm>
#include <optional>

#include "codecs/onnx_type.h"

namespace assay::ort {
namespace {

std::optional<uint64_t> BytesOf(int type, const Shape& shape) {
  const OnnxType* known = FindOnnxType(static_cast<uint64_t>(type));
  const auto count = ElementCount(shape);
  if (!count || known == nullptr || !known->dtype) return std::nullopt;
  return ByteCount(*known->dtype, *count);
}

}  // namespace

void TapSizes::Note(std::span<const OutputType> outputs) {
  for (const OutputType& output : outputs) {
    const auto size = BytesOf(output.type, output.shape);
    if (size) known_[output.name] = *size;
  }
}

void TapSizes::GuessFrom(std::span<const std::string> taps) {
  uint64_t known = 0, largest = 0;
  for (const std::string& tap : taps) {
    const auto size = known_.find(tap);
    if (size == known_.end()) continue;
    ++known;
    largest = std::max(largest, size->second);
  }
  if (2 * known > taps.size()) guess_ = std::min(guess_, 2 * largest);
}

// Sizes that are not known are taken for twice the largest that came, but four
// times as many taps at most are tried next.
void TapSizes::LearnFrom(std::span<const Fetched> values,
                         std::span<const std::string> names) {
  uint64_t largest = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (known_.contains(names[i])) continue;
    largest =
        std::max(largest, BytesOf(values[i].type, values[i].shape).value_or(0));
  }
  guess_ = std::max({2 * largest, guess_ / 4, uint64_t{1}});
}

size_t TapSizes::Batch(std::span<const std::string> taps) const {
  uint64_t left = max_memory_;
  for (size_t i = 0; i < taps.size(); ++i) {
    const auto known = known_.find(taps[i]);
    const uint64_t need = known == known_.end() ? guess_ : known->second;
    if (i > 0 && need > left) return i;
    left -= std::min(left, need);
  }
  return taps.size();
}

}  // namespace assay::ort
