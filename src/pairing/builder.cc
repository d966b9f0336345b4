#include "pairing/builder.h"

#include <algorithm>
#include <unordered_set>

#include "pairing/names.h"

namespace assay {

PairingBuilder::PairingBuilder(const Dump& golden, const Dump& target) {
  golden_.dump = &golden;
  target_.dump = &target;
  for (Part* side : {&golden_, &target_}) {
    side->paired.resize(side->dump->tensors.size());
    side->why.resize(side->dump->tensors.size());
  }
}

void PairingBuilder::Add(uint32_t golden, uint32_t target, std::string why) {
  golden_.paired[golden] = target_.paired[target] = true;
  pairing_.pairs.push_back(
      {.golden = {golden},
       .target = {target},
       .why = std::make_shared<const std::string>(std::move(why))});
}

void PairingBuilder::AddOwn(uint32_t input, uint32_t output) {
  target_.paired[input] = target_.paired[output] = true;
  pairing_.pairs.push_back(
      {.golden = {input},
       .target = {output},
       .why = std::make_shared<const std::string>(kOwnInput),
       .golden_is_target = true});
}

void PairingBuilder::Say(Part& side, uint32_t tensor, std::string_view why) {
  if (side.why[tensor].empty()) side.why[tensor] = why;
}

void PairingBuilder::SayGolden(uint32_t tensor, std::string_view why) {
  Say(golden_, tensor, why);
}

void PairingBuilder::SayTarget(uint32_t tensor, std::string_view why) {
  Say(target_, tensor, why);
}

void PairingBuilder::ListRest(Part& side, const Reason& rest,
                              std::vector<Unpaired>& out) {
  for (uint32_t i = 0; i < side.paired.size(); ++i) {
    if (side.paired[i]) continue;
    out.push_back({i, side.why[i].empty() ? rest(i) : std::move(side.why[i])});
  }
}

Status PairingBuilder::KeepWanted(const PairOptions& options,
                                  Pairing& out) const {
  ASSIGN_OR_RETURN(const NameRules rules, NameRules::Make(options.only, {}));
  const auto wanted = [&](const Part& side, uint32_t i) {
    return rules.Wanted(side.dump->NameOf(side.dump->tensors[i]));
  };
  std::unordered_set<uint32_t> kept[2], left[2];
  std::erase_if(out.pairs, [&](const Pair& pair) {
    const uint32_t g = pair.golden.tensor;
    const uint32_t t = pair.target.tensor;
    const Part& first = pair.golden_is_target ? target_ : golden_;
    const bool keep = wanted(first, g) || wanted(target_, t);
    (keep ? kept : left)[pair.golden_is_target ? 1 : 0].insert(g);
    (keep ? kept : left)[1].insert(t);
    return !keep;
  });
  const auto skip = [&](const Part& side, int which,
                        std::vector<Unpaired>& list) {
    const Unpaired reason{0, "does not match --only", true};
    for (Unpaired& u : list) {
      if (wanted(side, u.tensor)) continue;
      u.why = reason.why;
      u.skipped = true;
    }
    for (const uint32_t i : left[which]) {
      if (kept[which].contains(i)) continue;
      list.push_back(reason);
      list.back().tensor = i;
    }
    std::ranges::sort(list, {}, &Unpaired::tensor);
  };
  skip(golden_, 0, out.golden);
  skip(target_, 1, out.target);
  return Done{};
}

Result<Pairing> PairingBuilder::Finish(const PairOptions& options,
                                       const Reason& golden_rest,
                                       const Reason& target_rest) {
  ListRest(golden_, golden_rest, pairing_.golden);
  ListRest(target_, target_rest, pairing_.target);
  if (!options.only.empty()) RETURN_IF_ERROR(KeepWanted(options, pairing_));
  return std::move(pairing_);
}

}  // namespace assay
