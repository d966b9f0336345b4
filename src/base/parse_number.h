#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace assay {

// The number that the whole text is; nothing if it is none, or does not fit.
template <typename T>
std::optional<T> ParseNumber(std::string_view text) {
  T number{};
  const char* end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc() || at != end) return std::nullopt;
  return number;
}

}  // namespace assay
