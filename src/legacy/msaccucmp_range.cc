#include "legacy/msaccucmp_range.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace assay {
namespace {

using Groups = std::set<uint32_t>;
using Order = std::vector<const RuleOp*>;

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      text.starts_with('-')) {
    return std::nullopt;
  }
  return value;
}

OldFailure BadRange(const std::string& text, std::string_view what) {
  return Failure(OldCode::kParameter, "The range \"{}\" is invalid: {}.", text,
                 what);
}

bool IsMember(const FusionRule& rule, const RuleOp& op) {
  const auto at = static_cast<uint32_t>(&op - rule.ops().data());
  return std::ranges::find(rule.GroupOf(op).ops, at) !=
         rule.GroupOf(op).ops.end();
}

Order ByTime(const FusionRule& rule) {
  Order order;
  for (const RuleOp& op : rule.ops()) {
    if (IsMember(rule, op)) order.push_back(&op);
  }
  std::ranges::stable_sort(order, {}, &RuleOp::id);
  return order;
}

// A merge leaves the groups in the order of their last operators, each from
// its last member to its first, without what is dropped.
Order Merged(const FusionRule& rule) {
  Order order;
  Groups seen;
  const auto& ops = rule.ops();
  for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
    if (!seen.insert(op->group).second) continue;
    for (const uint32_t member : rule.GroupOf(*op).ops) {
      if (!ops[member].dropped) order.push_back(&ops[member]);
    }
  }
  std::ranges::reverse(order);
  return order;
}

struct Range {
  int64_t start = 1, end = -1, step = 1;

  bool Has(int64_t id) const {
    return id >= start && ((id - start) % step == 0 || id == end);
  }
};

OldResult<Range> ParseRange(const std::string& text) {
  const auto parts = Split(text, ',');
  if (parts.size() != 3) return BadRange(text, "it is to be start,end,step");
  Range range;
  int64_t* const numbers[] = {&range.start, &range.end, &range.step};
  for (size_t i = 0; i < 3; ++i) {
    const std::string_view part = Trim(parts[i]);
    if (part.empty() || (i == 1 && part == "-1")) continue;
    const auto number = ParseNumber(part);
    if (!number) return BadRange(text, "it has something else than numbers");
    *numbers[i] = *number;
  }
  return range;
}

OldStatus CheckRange(Range& range, int64_t last) {
  const auto beyond = [](std::string_view what, int64_t most) {
    return Failure(OldCode::kIndex, "The {} of the range is to be 1 to {}.",
                   what, most);
  };
  if (range.start < 1 || range.start > last) return beyond("start", last);
  if (range.end == -1) range.end = last;
  if (range.end < range.start || range.end > last) return beyond("end", last);
  if (range.step < 1 || range.step >= last) return beyond("step", last - 1);
  return Done{};
}

OldResult<Groups> GroupsInRange(const Order& order, int64_t last,
                                const std::string& text) {
  auto range = ParseRange(text);
  if (!range) return range.error();
  if (auto fits = CheckRange(*range, last); !fits) return fits.error();
  Groups groups;
  for (const RuleOp* op : order) {
    if (op->id > range->end) break;  // also where the order is not that of ids
    if (range->Has(op->id)) groups.insert(op->group);
  }
  return groups;
}

OldResult<std::set<int64_t>> ParseSelect(const std::string& text) {
  std::set<int64_t> ids;
  for (const std::string_view part : Split(text, ',')) {
    if (Trim(part).empty()) continue;
    const auto number = ParseNumber(Trim(part));
    if (!number) return BadRange(text, "it is to be i,j,…");
    ids.insert(*number);
  }
  return ids;
}

OldResult<Groups> SelectedGroups(const Order& order, int64_t last,
                                 const std::string& text) {
  auto ids = ParseSelect(text);
  if (!ids) return ids.error();
  const auto beyond =
      std::erase_if(*ids, [&](int64_t id) { return id > last; });
  if (beyond > 0 && ids->empty()) return BadRange(text, "no operator is left");
  if (beyond > 0) {
    LogWarning(fmt::format("The last operator is {}: {} of -s are beyond it.",
                           last, beyond));
  }
  Groups groups;
  for (const RuleOp* op : order) {
    if (ids->contains(op->id)) groups.insert(op->group);
  }
  return groups;
}

}  // namespace

OldStatus CheckRangeText(const RangeText& range) {
  if (range.is_select) {
    if (const auto ids = ParseSelect(range.text); !ids) return ids.error();
  } else if (const auto read = ParseRange(range.text); !read) {
    return read.error();
  }
  return Done{};
}

OldResult<Groups> ChooseGroups(const FusionRule& rule, const RangeText& range) {
  const Order order = range.unfused ? Merged(rule) : ByTime(rule);
  const int64_t last = order.empty() ? 0 : order.back()->id;
  return range.is_select ? SelectedGroups(order, last, range.text)
                         : GroupsInRange(order, last, range.text);
}

}  // namespace assay
