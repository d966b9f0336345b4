#include "legacy/msaccucmp_range.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"

namespace assay {
namespace {

using Wanted = std::function<bool(int64_t id)>;

std::optional<int64_t> ParseNumber(std::string_view text) {
  text = Trim(text);
  int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

OldFailure BadRange(const std::string& text, std::string_view what) {
  return Failure(OldCode::kParameter, "The range \"{}\" is invalid: {}.", text,
                 what);
}

OldResult<Wanted> ParseRange(const std::string& text, int64_t last) {
  const auto parts = Split(text, ',');
  if (parts.size() != 3) return BadRange(text, "it is to be start,end,step");
  int64_t numbers[] = {1, -1, 1};
  for (size_t i = 0; i < 3; ++i) {
    if (Trim(parts[i]).empty()) continue;
    const auto number = ParseNumber(parts[i]);
    if (!number) return BadRange(text, "it has something else than numbers");
    numbers[i] = *number;
  }
  auto [start, end, step] = numbers;
  const auto beyond = [](std::string_view what, int64_t most) {
    return Failure(OldCode::kIndex, "The {} of the range is to be 1 to {}.",
                   what, most);
  };
  if (start < 1 || start > last) return beyond("start", last);
  if (end != -1 && (end < start || end > last)) return beyond("end", last);
  if (step < 1 || step > std::max<int64_t>(1, last - 1)) {
    return beyond("step", last - 1);
  }
  if (end == -1) end = last;
  return Wanted([start = start, end = end, step = step](int64_t id) {
    return id >= start && id <= end && ((id - start) % step == 0 || id == end);
  });
}

OldResult<Wanted> ParseSelect(const std::string& text,
                              const std::set<int64_t>& known) {
  std::set<int64_t> ids;
  for (const std::string_view part : Split(text, ',')) {
    const auto number = ParseNumber(part);
    if (!number) return BadRange(text, "it is to be i,j,…");
    if (known.contains(*number)) {
      ids.insert(*number);
    } else {
      LogWarning(fmt::format("There is no operator {}.", *number));
    }
  }
  if (ids.empty()) return BadRange(text, "no operator is left");
  return Wanted([ids](int64_t id) { return ids.contains(id); });
}

}  // namespace

OldResult<Wanted> ChooseOperators(const FusionRule& rule,
                                  const RangeText& range) {
  std::set<int64_t> ids;
  for (const RuleOp& op : rule.ops()) ids.insert(op.id);
  if (range.is_select) return ParseSelect(range.text, ids);
  return ParseRange(range.text, ids.empty() ? 0 : *ids.rbegin());
}

}  // namespace assay
