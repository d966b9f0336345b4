// Values, containers and the memo; pickle_calls.cc has names and calls.
#include "codecs/pickle_machine.h"

#include <algorithm>
#include <array>

namespace assay {

Error PickleMachine::Damaged(std::string_view why) const {
  return Corrupt("{} {}", now_->name, why)
      .At({}, at_)
      .Hint("the pickle is damaged; save it again");
}

Status PickleMachine::Push(PickleValue value) {
  if (++values_ > limits_.values) {
    return TooLarge("the pickle holds more than {} values", limits_.values)
        .At({}, at_)
        .Hint("it may be made to exhaust memory");
  }
  stack_.push_back(value);
  return Done{};
}

Status PickleMachine::PushNode(Kind kind, std::vector<PickleValue> items,
                               int64_t global) {
  const auto index = static_cast<int64_t>(nodes_.size());
  RETURN_IF_ERROR(Push({.kind = kind, .number = index}));
  nodes_.push_back({global, std::move(items)});
  return Done{};
}

Result<PickleValue> PickleMachine::Top() const {
  if (stack_.size() > Floor()) return stack_.back();
  return Damaged("finds no value");
}

Result<PickleValue> PickleMachine::Pop() {
  ASSIGN_OR_RETURN(const PickleValue value, Top());
  stack_.pop_back();
  return value;
}

Result<PickleValue> PickleMachine::PopKind(Kind kind) {
  ASSIGN_OR_RETURN(const PickleValue value, Pop());
  if (value.kind == kind) return value;
  return Damaged("finds another kind of value than it needs");
}

Result<std::vector<PickleValue>> PickleMachine::PopMarked() {
  if (marks_.empty()) return Damaged("finds no mark");
  const auto begin = stack_.begin() + static_cast<ptrdiff_t>(marks_.back());
  std::vector<PickleValue> items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return items;
}

uint64_t PickleMachine::Number(int width) {
  switch (width) {
    case 1:
      return in_.U8(now_->name);
    case 2:
      return in_.U16(now_->name);
    case 4:
      return in_.U32(now_->name);
    default:
      return in_.U64(now_->name);
  }
}

Status PickleMachine::Version(int) {
  const int version = in_.U8(now_->name);
  if (!in_.ok() || (version >= 2 && version <= 5)) return Done{};
  return Unsupported("the pickle has protocol {}", version)
      .At({}, at_)
      .Hint("protocols 2 to 5 are understood");
}

Status PickleMachine::Frame(int) {
  const uint64_t length = in_.U64(now_->name);
  if (length <= in_.left()) return Done{};
  return Damaged(fmt::format("needs {} bytes, {} left", length, in_.left()));
}

Status PickleMachine::Mark(int) {
  if (marks_.size() >= limits_.values) return Damaged("comes too often");
  marks_.push_back(stack_.size());
  return Done{};
}

Status PickleMachine::Drop(int) {
  RETURN_IF_ERROR(Pop());
  return Done{};
}

Status PickleMachine::DropMarked(int) {
  RETURN_IF_ERROR(PopMarked());
  return Done{};
}

Status PickleMachine::Duplicate(int) {
  ASSIGN_OR_RETURN(const PickleValue value, Top());
  return Push(value);
}

Status PickleMachine::None(int) { return Push({.kind = Kind::kNone}); }

Status PickleMachine::Truth(int value) {
  return Push({.kind = Kind::kBool, .number = value});
}

Status PickleMachine::Integer(int width) {
  const uint64_t value = Number(width);
  const int64_t number =
      width == 4 ? static_cast<int32_t>(value) : static_cast<int64_t>(value);
  return Push({.kind = Kind::kInt, .number = number});
}

// Two's complement, the lowest byte first.
Status PickleMachine::Long(int width) {
  const std::string_view bytes = in_.Text(Number(width), now_->name);
  if (bytes.size() > sizeof(int64_t)) return Push({.kind = Kind::kHuge});
  const bool negative = !bytes.empty() && (bytes.back() & '\x80') != 0;
  uint64_t value = negative ? ~uint64_t{0} : 0;
  for (size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return Push({.kind = Kind::kInt, .number = static_cast<int64_t>(value)});
}

Status PickleMachine::Float(int) {  // the highest byte first
  uint64_t value = 0;
  for (const char byte : in_.Text(sizeof(double), now_->name)) {
    value = value << 8 | static_cast<uint8_t>(byte);
  }
  return Push({.kind = Kind::kFloat, .number = static_cast<int64_t>(value)});
}

Status PickleMachine::String(Kind kind, int width) {
  const uint64_t length = Number(width);
  const auto begin = static_cast<int64_t>(in_.offset());
  in_.Skip(length, now_->name);
  return Push({kind, static_cast<uint32_t>(length), begin});
}

Status PickleMachine::Empty(int kind) {
  return PushNode(static_cast<Kind>(kind), {});
}

Status PickleMachine::Gather(int kind) {
  ASSIGN_OR_RETURN(std::vector<PickleValue> items, PopMarked());
  if (static_cast<Kind>(kind) == Kind::kDict && items.size() % 2 != 0) {
    return Damaged("finds a key without a value");
  }
  return PushNode(static_cast<Kind>(kind), std::move(items));
}

Status PickleMachine::Tuple(int size) {
  std::vector<PickleValue> items(static_cast<size_t>(size));
  for (size_t i = items.size(); i-- > 0;) {
    ASSIGN_OR_RETURN(items[i], Pop());
  }
  return PushNode(Kind::kTuple, std::move(items));
}

Status PickleMachine::Extend(Kind kind, std::span<const PickleValue> items) {
  ASSIGN_OR_RETURN(const PickleValue target, Top());
  if (target.kind != kind) return Damaged("finds nothing to add to");
  auto& all = nodes_[static_cast<size_t>(target.number)].items;
  all.insert(all.end(), items.begin(), items.end());
  return Done{};
}

Status PickleMachine::Append(int) {
  ASSIGN_OR_RETURN(const PickleValue value, Pop());
  return Extend(Kind::kList, {&value, 1});
}

Status PickleMachine::AppendMarked(int kind) {
  ASSIGN_OR_RETURN(const auto items, PopMarked());
  return Extend(static_cast<Kind>(kind), items);
}

Status PickleMachine::Assign(std::span<const PickleValue> items) {
  if (items.size() % 2 != 0) return Damaged("finds a key without a value");
  ASSIGN_OR_RETURN(const PickleValue target, Top());
  return Extend(IsFilled(target) ? Kind::kCall : Kind::kDict, items);
}

Status PickleMachine::SetItem(int) {
  ASSIGN_OR_RETURN(const PickleValue value, Pop());
  ASSIGN_OR_RETURN(const PickleValue key, Pop());
  return Assign(std::array{key, value});
}

Status PickleMachine::SetMarked(int) {
  ASSIGN_OR_RETURN(const auto items, PopMarked());
  return Assign(items);
}

// A writer counts from 0 and spends at least a byte on each entry: a larger
// index can only be meant to exhaust memory.
Status PickleMachine::Put(int width) {
  const uint64_t index = width == 0 ? memo_.size() : Number(width);
  if (index >= std::min<uint64_t>(bytes_.size(), limits_.values)) {
    return Damaged(fmt::format("sets memo {}, more than there can be", index));
  }
  ASSIGN_OR_RETURN(const PickleValue value, Top());
  if (index >= memo_.size()) memo_.resize(index + 1);
  memo_[index] = value;
  return Done{};
}

Status PickleMachine::Get(int width) {
  const uint64_t index = Number(width);
  if (index < memo_.size() && memo_[index].kind != Kind::kNothing) {
    return Push(memo_[index]);
  }
  return Damaged(fmt::format("asks for memo {}, which was never set", index));
}

}  // namespace assay
