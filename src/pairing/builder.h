#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/dump.h"
#include "core/pairing.h"
#include "pairing/strategy.h"

namespace assay {

// Why two tensors of the target are a pair; a saved row is known by it.
inline constexpr std::string_view kOwnInput =
    "put in by the compiler: its own input";

// Collects pairs and reasons, so that every tensor is in a pair or listed once.
class PairingBuilder {
 public:
  PairingBuilder(const Dump& golden, const Dump& target);

  void Add(uint32_t golden, uint32_t target, std::string why);
  // Two tensors of the target; the reason is kOwnInput.
  void AddOwn(uint32_t input, uint32_t output);
  // Why a tensor has no partner; the first reason stays.
  void SayGolden(uint32_t tensor, std::string_view why);
  void SayTarget(uint32_t tensor, std::string_view why);

  const TensorInfo& Golden(uint32_t i) const {
    return golden_.dump->tensors[i];
  }
  const TensorInfo& Target(uint32_t i) const {
    return target_.dump->tensors[i];
  }

  // Rows are to be called as the target's tensors.
  void NameByTarget() { pairing_.named_by_target = true; }

  // The reason for those nobody spoke of.
  using Reason = std::function<std::string(uint32_t tensor)>;
  // Honours --only: a pair stays if one of its names matches.
  Result<Pairing> Finish(const PairOptions& options, const Reason& golden_rest,
                         const Reason& target_rest);

 private:
  struct Part {
    const Dump* dump = nullptr;
    std::vector<bool> paired;
    std::vector<std::string> why;
  };
  static void Say(Part& side, uint32_t tensor, std::string_view why);
  static void ListRest(Part& side, const Reason& rest,
                       std::vector<Unpaired>& out);
  Status KeepWanted(const PairOptions& options, Pairing& out) const;

  Part golden_, target_;
  Pairing pairing_;
};

}  // namespace assay
