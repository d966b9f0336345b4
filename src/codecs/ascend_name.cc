#include "codecs/ascend_name.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/text.h"

namespace assay {
namespace {

constexpr std::string_view kFftsPlus = "4";
// TYPE.OPERATOR.TASK.TIME, and of a slice TASKTYPE.CONTEXT.THREAD[.DEVICE].
constexpr size_t kLeastFields = 4, kWithDevice = 4, kWithoutDevice = 3;

bool IsDigits(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Seconds, milliseconds, a date, microseconds; exceptions have 17 digits.
bool IsTime(std::string_view text) {
  const size_t n = text.size();
  return (n == 10 || n == 13 || n == 14 || n >= 16) && IsDigits(text);
}

bool IsTaskType(std::string_view text) {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '4';
}

// TIME is the last field, or the fields of a slice follow.
bool EndsLikeDump(const std::vector<std::string_view>& fields) {
  const size_t n = fields.size();
  const auto time_before = [&](size_t after) {
    return n >= kLeastFields + after && IsTime(fields[n - 1 - after]) &&
           IsDigits(fields[n - 2 - after]) &&
           std::all_of(fields.end() - static_cast<ptrdiff_t>(after),
                       fields.end(), IsDigits) &&
           (after == 0 || IsTaskType(fields[n - after]));
  };
  return time_before(0) || time_before(kWithoutDevice) ||
         time_before(kWithDevice);
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
  for (const size_t after : {kWithDevice, kWithoutDevice}) {
    if (fields.size() < kLeastFields + after) continue;
    const size_t at = fields.size() - after;
    if (fields[at] != kFftsPlus || !IsDigits(fields[at - 1])) continue;
    const std::string_view thread = fields[at + 2];
    uint64_t value = 0;
    const char* const end = thread.data() + thread.size();
    const auto [last, error] = std::from_chars(thread.data(), end, value);
    if (error != std::errc() || last != end) return std::nullopt;
    return value;
  }
  return std::nullopt;
}

}  // namespace assay
