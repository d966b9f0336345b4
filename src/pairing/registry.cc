#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "pairing/map_file.h"
#include "pairing/names.h"
#include "pairing/strategy.h"

namespace assay {

extern const Strategy kTwoTensors, kTorchairFxPairing, kTorchairGePairing,
    kHdf5Pairing, kQuantised, kBatch, kAutoFusion, kGeFusion, kFusionOnOff,
    kNpuByName, kOnnxNames, kMsprobeNames, kByContent, kByName;
constinit const Strategy* const kStrategies[] = {
    &kTwoTensors,        &kTorchairFxPairing,
    &kTorchairGePairing, &kHdf5Pairing,
    &kQuantised,         &kBatch,
    &kAutoFusion,        &kGeFusion,
    &kFusionOnOff,       &kNpuByName,
    &kOnnxNames,         &kMsprobeNames,
    &kByContent,         &kByName};

std::span<const Strategy* const> AllStrategies() { return kStrategies; }

namespace {

Error Unknown(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Strategy* s : kStrategies) names.push_back(s->name);
  return Usage("unknown pairing '{}'", name)
      .Hint(DidYouMean(name, names, "'assay list pairings' shows all"));
}

}  // namespace

Status CheckPairOptions(const PairOptions& options) {
  const auto named = [&](const Strategy* s) {
    return s->name == options.strategy;
  };
  if (!options.strategy.empty() && std::ranges::none_of(kStrategies, named)) {
    return Unknown(options.strategy);
  }
  RETURN_IF_ERROR(NameRules::Make(options.only, options.renames));
  if (!options.map_file.empty()) RETURN_IF_ERROR(ReadMap(options.map_file));
  return Done{};
}

Result<Pairing> PairDumps(const Dump& golden, const Dump& target,
                          const PairOptions& options) {
  const Strategy* chosen = nullptr;
  std::string why = "asked for";
  for (const Strategy* strategy : kStrategies) {
    if (!options.strategy.empty()) {
      if (strategy->name == options.strategy) chosen = strategy;
    } else if (why = strategy->fits(golden, target, options); !why.empty()) {
      chosen = strategy;
      break;
    }
  }
  if (chosen == nullptr) return Unknown(options.strategy);
  ASSIGN_OR_RETURN(Pairing pairing, chosen->pair(golden, target, options));
  pairing.strategy = chosen->name;
  pairing.why = std::move(why);
  return pairing;
}

}  // namespace assay
