#include "sources/array_name.h"

#include "sources/digits.h"
#include "sources/dump_name.h"

namespace assay {
namespace {

// Takes the last dot and what follows it off `text`.
std::string_view TakeLast(std::string_view& text, char mark = '.') {
  const size_t dot = text.rfind(mark);
  if (dot == std::string_view::npos) return {};
  const std::string_view field = text.substr(dot + 1);
  text = text.substr(0, dot);
  return field;
}

// OPERATOR.INDEX.TIME[.REPEAT]
std::optional<ArrayName> ParseOutput(std::string_view stem) {
  ArrayName name;
  std::string_view last = TakeLast(stem);
  auto time = ParseTime(last);
  if (const auto repeat = ParseSmall(last); !time && repeat) {
    name.call = *repeat;
    time = ParseTime(TakeLast(stem));
  }
  const auto index = ParseSmall(TakeLast(stem));
  if (!time || !index || stem.empty()) return std::nullopt;
  name.op = stem;
  name.index = *index;
  name.time = *time;
  return name;
}

// DUMPNAME.output.0, perhaps with a shape, a layout and a type behind it.
std::optional<ArrayName> ParseConverted(std::string_view stem) {
  constexpr std::string_view kMarks[] = {".input.", ".output."};
  for (const std::string_view mark : kMarks) {
    const size_t at = stem.rfind(mark);
    if (at == std::string_view::npos) continue;
    const auto dump = ParseDumpName(stem.substr(0, at));
    std::string_view rest = stem.substr(at + mark.size());
    const auto index = ParseSmall(rest.substr(0, rest.find('.')));
    if (!dump || !index) continue;
    return ArrayName{.op = WithoutSliceMarks(dump->op),
                     .type = dump->type,
                     .port = mark == kMarks[0] ? Port::kInput : Port::kOutput,
                     .index = *index,
                     .time = dump->time};
  }
  return std::nullopt;
}

bool TakePort(std::string_view& stem, Port& port) {
  const std::string_view field = TakeLast(stem);
  if (field != "INPUT" && field != "OUTPUT") return false;
  port = field == "INPUT" ? Port::kInput : Port::kOutput;
  return true;
}

}  // namespace

std::optional<FxName> ParseFxName(std::string_view stem) {
  FxName name;
  for (const std::string_view mark : {"_min_max", "_stats"}) {
    if (!stem.ends_with(mark)) continue;
    stem.remove_suffix(mark.size());
    name.summary = true;
  }
  const auto time = ParseTime(TakeLast(stem));
  name.tensor = stem;
  const auto last = ParseSmall(TakeLast(stem));
  if (!time || !last) return std::nullopt;
  name.time = *time;
  name.argument = *last;
  std::string_view before = stem;
  if (!TakePort(stem, name.port)) {
    const auto argument = ParseSmall(TakeLast(before));
    if (!argument || !TakePort(before, name.port)) return std::nullopt;
    name.argument = *argument;
    name.member = *last;
    stem = before;
  }
  const size_t dash = stem.find('-');
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  name.node = stem.substr(0, dash);
  name.target = stem.substr(dash + 1);
  return name;
}

std::optional<ArrayName> ParseOutputName(std::string_view stem) {
  const auto time = ParseDigits(TakeLast(stem));
  const auto index = ParseSmall(TakeLast(stem));
  if (!time || !index || stem.empty()) return std::nullopt;
  return ArrayName{.op = stem, .type = {}, .index = *index, .time = *time};
}

std::optional<ArrayName> ParsePortName(std::string_view stem) {
  const char mark = stem.find(':') == std::string_view::npos ? '.' : ':';
  const auto index = ParseSmall(TakeLast(stem, mark));
  const std::string_view port = TakeLast(stem, mark);
  if (!index || stem.empty() || (port != "input" && port != "output")) {
    return std::nullopt;
  }
  return ArrayName{.op = stem,
                   .type = {},
                   .port = port == "input" ? Port::kInput : Port::kOutput,
                   .index = *index};
}

std::optional<ArrayName> ParsePortPath(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return std::nullopt;
  std::string_view file = path.substr(slash + 1);
  for (const Port port : {Port::kInput, Port::kOutput}) {
    const std::string_view name = port == Port::kInput ? "input" : "output";
    if (!file.starts_with(name)) continue;
    file.remove_prefix(name.size());
    if (!file.empty() &&
        std::string_view("_.").find(file[0]) != std::string_view::npos) {
      file.remove_prefix(1);
    }
    const auto index = ParseSmall(file);
    if (!index) return std::nullopt;
    return ArrayName{
        .op = path.substr(0, slash), .type = {}, .port = port, .index = *index};
  }
  return std::nullopt;
}

std::optional<ArrayName> ParseArrayName(std::string_view stem) {
  if (const auto fx = ParseFxName(stem)) {
    return ArrayName{.op = fx->node,
                     .type = fx->target,
                     .port = fx->port,
                     .index = fx->argument,
                     .time = fx->time};
  }
  if (auto converted = ParseConverted(stem)) return converted;
  return ParseOutput(stem);
}

}  // namespace assay
