#include "graphs/fusion_switch.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/input_file.h"
#include "base/json_file.h"
#include "base/json_writer.h"
#include "base/text.h"

namespace assay {
namespace {

using enum JsonKind;

constexpr std::string_view kGroups[] = {"GraphFusion", "UBFusion"};
constexpr std::string_view kForm =
    R"({"Switch":{"GraphFusion":{"ALL":"on"},"UBFusion":{"ALL":"off"}}})";

class SwitchReader {
 public:
  explicit SwitchReader(JsonScanner scan) : scan_(scan) {}

  Result<FusionSwitch> Read() {
    RETURN_IF_ERROR(Open("the file is no object"));
    JsonToken key = scan_.Next();
    bool found = false;
    for (; key.kind == kKey; key = scan_.Next()) {
      if (key.text != "Switch") {
        return UnknownKey(key, std::span(&kSwitch, 1));
      }
      if (found) return scan_.Wrong(key, "'Switch' stands here twice");
      RETURN_IF_ERROR(ReadGroups());
      found = true;
    }
    if (key.kind != kEndObject) return scan_.error();
    const JsonToken end = scan_.Next();
    if (end.kind != kEnd) return scan_.Wrong(end, "more after the switches");
    if (found) return std::move(out_);
    return scan_.Wrong(key, "no 'Switch' in it").Hint(Form());
  }

 private:
  static constexpr std::string_view kSwitch = "Switch";
  static std::string Form() { return fmt::format("the form is {}", kForm); }

  Status Open(std::string_view complaint) {
    const JsonToken first = scan_.Next();
    if (first.kind == kBeginObject) return Done{};
    if (first.kind == kError) return scan_.error();
    return scan_.Wrong(first, complaint).Hint(Form());
  }

  Error UnknownKey(const JsonToken& key,
                   std::span<const std::string_view> known) const {
    const std::string name = key.Text();
    return scan_.Wrong(key, fmt::format("unknown key '{}'", name))
        .Hint(DidYouMean(name, known, Form()));
  }

  Status ReadGroups() {
    RETURN_IF_ERROR(Open("'Switch' is no object"));
    JsonToken key = scan_.Next();
    for (; key.kind == kKey; key = scan_.Next()) {
      if (key.text == "GraphFusion") {
        RETURN_IF_ERROR(ReadPasses(key.text, out_.graph_passes));
      } else if (key.text == "UBFusion") {
        RETURN_IF_ERROR(ReadPasses(key.text, out_.ub_passes));
      } else {
        return UnknownKey(key, kGroups);
      }
    }
    if (key.kind != kEndObject) return scan_.error();
    return Done{};
  }

  Status ReadPasses(std::string_view group,
                    std::vector<FusionSwitch::Pass>& passes) {
    RETURN_IF_ERROR(Open(fmt::format("'{}' is no object", group)));
    std::unordered_map<std::string, size_t> places;
    for (size_t i = 0; i < passes.size(); ++i) places[passes[i].name] = i;
    JsonToken key = scan_.Next();
    for (; key.kind == kKey; key = scan_.Next()) {
      FusionSwitch::Pass pass{.name = key.Text()};
      ASSIGN_OR_RETURN(pass.on, ReadState(pass.name));
      const auto [at, fresh] = places.emplace(pass.name, passes.size());
      if (fresh) {
        passes.push_back(std::move(pass));
        continue;
      }
      out_.warnings.push_back(fmt::format(
          "{} names '{}' twice; the last counts", group, pass.name));
      passes[at->second].on = pass.on;
    }
    if (key.kind != kEndObject) return scan_.error();
    return Done{};
  }

  Result<bool> ReadState(const std::string& pass) {
    const JsonToken value = scan_.Next();
    if (value.kind == kError) return scan_.error();
    const std::string text =
        value.kind == kString ? value.Text() : std::string(value.text);
    if (value.kind == kString && text == "on") return true;
    if (value.kind == kString && text == "off") return false;
    return scan_
        .Wrong(value,
               fmt::format("'{}' is set to '{}'", pass, text.substr(0, 40)))
        .Hint("a pass is \"on\" or \"off\"");
  }

  JsonScanner scan_;
  FusionSwitch out_;
};

}  // namespace

bool IsFusionSwitch(std::string_view file_name, std::string_view head) {
  if (file_name.starts_with("fusion_switch")) return true;
  JsonScanner scan(head);
  if (scan.Next().kind != kBeginObject) return false;
  const JsonToken key = scan.Next();
  return key.kind == kKey && key.text == "Switch";
}

Result<FusionSwitch> ReadFusionSwitch(const std::string& path) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const JsonFile json, JsonFile::Map(file));
  auto read = SwitchReader(json.Scan()).Read();
  RETURN_IF_ERROR(json.Intact());
  return read;
}

std::string FusionSwitchFile(const FusionSwitch& passes) {
  JsonWriter json;
  json.BeginObject().Key("Switch").BeginObject();
  for (const auto& [group, list] : {std::pair(kGroups[0], &passes.graph_passes),
                                    std::pair(kGroups[1], &passes.ub_passes)}) {
    json.Key(group).BeginObject();
    for (const FusionSwitch::Pass& pass : *list) {
      json.Key(pass.name).Text(pass.on ? "on" : "off");
    }
    json.EndObject();
  }
  return json.EndObject().EndObject().Take() + "\n";
}

}  // namespace assay
