// What a pickle names, calls and makes: written down where it is allowed,
// refused where it is not.
#include <algorithm>

#include "base/utf8.h"
#include "codecs/pickle_machine.h"

namespace assay {
namespace {

std::string Shown(std::string_view module, std::string_view name) {
  constexpr int kColumns = 100;
  return ClipEnd(Printable(fmt::format("{}.{}", module, name)), kColumns);
}

}  // namespace

Error PickleMachine::Refusal(std::string_view why) const {
  return Unsupported("{} {}, which is refused", now_->name, why).At({}, at_);
}

std::string_view PickleMachine::TextOf(const PickleValue& value) const {
  return bytes_.substr(static_cast<size_t>(value.number), value.length);
}

bool PickleMachine::IsFilled(const PickleValue& value) const {
  if (value.kind != Kind::kCall) return false;
  const int64_t function = nodes_[static_cast<size_t>(value.number)].global;
  return allowed_[static_cast<size_t>(function)].use == Use::kFill;
}

std::string PickleMachine::NameOf(const PickleValue& value) const {
  if (value.kind != Kind::kGlobal) return "something that has no name";
  return std::string(allowed_[static_cast<size_t>(value.number)].name);
}

Result<std::string_view> PickleMachine::Line() {
  const size_t end = bytes_.find('\n', in_.offset());
  if (end == bytes_.npos) return Damaged("has no end of line");
  const std::string_view line = in_.Text(end - in_.offset(), now_->name);
  in_.Skip(1, now_->name);
  return line;
}

Status PickleMachine::Mention(std::string_view module, std::string_view name) {
  const std::string full = fmt::format("{}.{}", module, name);
  const auto found = std::ranges::find(allowed_, full, &PickleGlobal::name);
  const bool known = found != allowed_.end();
  if (known && found->use != Use::kRefuse) {
    return Push({.kind = Kind::kGlobal, .number = found - allowed_.begin()});
  }
  return Refusal("asks for " + Shown(module, name))
      .Hint(known ? found->hint : "");
}

Status PickleMachine::Global(int) {
  ASSIGN_OR_RETURN(const std::string_view module, Line());
  ASSIGN_OR_RETURN(const std::string_view name, Line());
  return Mention(module, name);
}

Status PickleMachine::StackGlobal(int) {
  ASSIGN_OR_RETURN(const PickleValue name, PopKind(Kind::kText));
  ASSIGN_OR_RETURN(const PickleValue module, PopKind(Kind::kText));
  return Mention(TextOf(module), TextOf(name));
}

Status PickleMachine::Reduce(int) {
  ASSIGN_OR_RETURN(const PickleValue arguments, PopKind(Kind::kTuple));
  ASSIGN_OR_RETURN(const PickleValue function, Pop());
  const bool named = function.kind == Kind::kGlobal;
  const Use use =
      named ? allowed_[static_cast<size_t>(function.number)].use : Use::kRefuse;
  if (use == Use::kCall || use == Use::kFill) {
    return PushNode(Kind::kCall, {arguments}, function.number);
  }
  return Refusal("calls " + NameOf(function));
}

// The attributes of a dict, such as the versions of a model's parts, are no
// items of it.
Status PickleMachine::Build(int) {
  RETURN_IF_ERROR(Pop());
  ASSIGN_OR_RETURN(const PickleValue target, Top());
  if (IsFilled(target)) return Done{};
  return Refusal("sets the state of an object");
}

Status PickleMachine::Foreign(int) {
  ASSIGN_OR_RETURN(const PickleValue id, Pop());
  return PushNode(Kind::kForeign, {id});
}

Status PickleMachine::Instance(int) {
  ASSIGN_OR_RETURN(const std::string_view module, Line());
  ASSIGN_OR_RETURN(const std::string_view name, Line());
  return Refusal("makes an object of " + Shown(module, name));
}

Status PickleMachine::Object(int depth) {
  const size_t above =
      depth == 0 ? stack_.size() - Floor() : static_cast<size_t>(depth);
  if (above == 0 || above > stack_.size()) return Damaged("finds no value");
  return Refusal("makes an object of " + NameOf(stack_[stack_.size() - above]));
}

Status PickleMachine::Refused(int) { return Refusal("is an opcode"); }

}  // namespace assay
