#include "codecs/ascend_name.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/text.h"

namespace assay {
namespace {

constexpr size_t kTimeDigits = 16;  // microseconds; exceptions have 17
constexpr std::string_view kFftsPlus = "4";

bool IsDigits(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsTime(std::string_view text) {
  return text.size() >= kTimeDigits && IsDigits(text);
}

bool IsTaskType(std::string_view text) {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '4';
}

// TIME is the last field, or three or four fields of a slice follow.
bool EndsLikeDump(const std::vector<std::string_view>& fields) {
  const size_t n = fields.size();
  const auto time_before = [&](size_t after) {
    return n >= 4 + after && IsTime(fields[n - 1 - after]) &&
           IsDigits(fields[n - 2 - after]) &&
           std::all_of(fields.end() - static_cast<ptrdiff_t>(after),
                       fields.end(), IsDigits) &&
           (after == 0 || IsTaskType(fields[n - after]));
  };
  return time_before(0) || time_before(3) || time_before(4);
}

}  // namespace

bool IsAscendName(std::string_view name) {
  const auto fields = Split(name, '.');
  const bool gap = std::ranges::any_of(
      fields, [](std::string_view field) { return field.empty(); });
  return !gap && !IsDigits(fields.front()) && EndsLikeDump(fields);
}

std::optional<uint64_t> AscendThread(std::string_view name) {
  const auto fields = Split(name, '.');
  const size_t n = fields.size();
  if (n < 8) return std::nullopt;
  const bool device = fields[n - 4] == kFftsPlus && n >= 9;
  if (!device && fields[n - 3] != kFftsPlus) return std::nullopt;
  const std::string_view thread = fields[device ? n - 2 : n - 1];
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(thread.data(), thread.data() + thread.size(), value);
  if (error != std::errc() || end != thread.data() + thread.size()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace assay
