#include "sources/msprobe_name.h"

#include <algorithm>

#include "base/text.h"
#include "sources/digits.h"

namespace assay {
namespace {

struct TypeName {
  std::string_view name;
  DType type;
};

// In small letters; MindSpore writes them with capitals.
constexpr TypeName kTypes[] = {
    {"float64", DType::kF64},
    {"double", DType::kF64},
    {"float32", DType::kF32},
    {"float", DType::kF32},
    {"float16", DType::kF16},
    {"half", DType::kF16},
    {"bfloat16", DType::kBF16},
    {"float8_e4m3fn", DType::kF8E4M3},
    {"float8_e5m2", DType::kF8E5M2},
    {"float8_e8m0fnu", DType::kF8E8M0},
    {"hifloat8", DType::kHiF8},
    {"int64", DType::kI64},
    {"int32", DType::kI32},
    {"int16", DType::kI16},
    {"int8", DType::kI8},
    {"int4", DType::kI4},
    {"uint64", DType::kU64},
    {"uint32", DType::kU32},
    {"uint16", DType::kU16},
    {"uint8", DType::kU8},
    {"bool", DType::kBool},
    {"complex64", DType::kC64},
    {"complex128", DType::kC128},
    {"complex32", DType::kC32},
};

int32_t Number(std::string_view text) { return ParseSmall(text).value_or(-1); }

std::string_view LastPart(std::string_view name) {
  return name.substr(name.rfind('.') + 1);
}

// Takes the last part off, with its dot.
std::string_view TakePart(std::string_view& name) {
  const std::string_view part = LastPart(name);
  name.remove_suffix(std::min(part.size() + 1, name.size()));
  return part;
}

bool IsPhase(std::string_view part) {
  return part == "forward" || part == "backward" || part == "parameters_grad";
}

Port PortOf(std::string_view category) {
  if (category == "input" || category == "kwargs") return Port::kInput;
  return category == "output" ? Port::kOutput : Port::kNone;
}

}  // namespace

// An API has its call before the phase, a module behind it:
//   Functional.linear.0.forward, Module.fc.Linear.forward.0, x.0.debug
MsprobeName ParseMsprobeName(std::string_view entry, std::string_view place) {
  MsprobeName name;
  std::string_view op = entry;
  const std::string_view last = TakePart(op), before = TakePart(op);
  const bool module = IsPhase(before) && Number(last) >= 0;
  const bool call = Number(before) >= 0;
  const bool variable = call && last == "debug";
  if (op.empty() || !(module || variable || (call && IsPhase(last)))) {
    name.op = entry;
    return name;
  }
  name.op = op;
  if (!variable) name.type = LastPart(op);
  name.call = Number(module ? last : before);
  const std::string_view phase = module ? before : last;
  if (phase != "forward" && !variable) name.phase = Phase::kBackward;
  if (phase != "forward" && phase != "backward") return name;
  const std::string_view category = place.substr(0, place.find('.'));
  name.port = PortOf(category);
  const bool inner = category.size() < place.size();
  if (name.port != Port::kNone && inner) {
    name.index = Number(place.substr(category.size() + 1));
  }
  return name;
}

DType MsprobeDType(std::string_view name) {
  const std::string small = Lower(LastPart(name));
  const auto* found = std::ranges::find(kTypes, small, &TypeName::name);
  return found == std::end(kTypes) ? DType::kOpaque : found->type;
}

}  // namespace assay
