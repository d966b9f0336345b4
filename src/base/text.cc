#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace assay {

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string_view WithoutByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

std::string ShortestText(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

std::string RoundedText(double value, int digits) {
  if (!std::isfinite(value)) return ShortestText(value);
  return fmt::format("{:.{}g}", value, digits);
}

std::string BytesText(uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) value /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes)
                   : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string Counted(uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::optional<uint64_t> ParseBytes(std::string_view text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0)) return std::nullopt;
  std::string unit = Lower(text.substr(static_cast<size_t>(end - text.data())));
  if (unit.ends_with("ib")) unit.resize(unit.size() - 2);
  if (unit.ends_with('b')) unit.pop_back();
  constexpr std::string_view kUnits = "kmgt";
  if (!unit.empty()) {
    const size_t power = kUnits.find(unit);
    if (unit.size() != 1 || power == std::string_view::npos)
      return std::nullopt;
    value = std::ldexp(value, 10 * (static_cast<int>(power) + 1));
  }
  if (value >= 0x1p63) return std::nullopt;
  return static_cast<uint64_t>(value);
}

size_t EditDistance(std::string_view a, std::string_view b) {
  // Optimal string alignment over three rows.
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string_view Nearest(std::string_view word,
                         std::span<const std::string_view> candidates) {
  std::string_view best;
  size_t least = word.size() / 3 + 1;  // more changes than that is a guess
  for (const std::string_view candidate : candidates) {
    const size_t distance = EditDistance(word, candidate);
    if (distance > least || (distance == least && !best.empty())) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string DidYouMean(std::string_view word,
                       std::span<const std::string_view> candidates,
                       std::string_view rest) {
  const std::string_view nearest = Nearest(word, candidates);
  if (nearest.empty()) return std::string(rest);
  return fmt::format("did you mean '{}'?{}{}", nearest, rest.empty() ? "" : " ",
                     rest);
}

}  // namespace assay
