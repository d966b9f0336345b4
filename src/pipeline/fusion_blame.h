#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/comparison.h"
#include "core/graph.h"
#include "graphs/fusion_switch.h"

namespace assay {

using GraphRef = std::shared_ptr<const Graph>;

// A fusion pass that made operators where an error starts.
struct FusionSuspect {
  struct Operator {
    std::string name;
    std::string row;  // the tensor it was seen at
    Verdict verdict = Verdict::kFail;
    double on = 0;              // its error with fusion (rel_l2)
    std::optional<double> off;  // without; none: not compared there
  };
  std::string pass;
  std::vector<Operator> operators;  // the worst first
  size_t made = 0;                  // operators of the graph that it made
  size_t rank = kNoRank;  // of its first operator among the run's origins

  static constexpr size_t kNoRank = -1;
};

// What two comparisons with one golden side say: the device's build with fusion
// and the one without.
struct FusionBlame {
  std::vector<FusionSuspect> suspects;  // the most suspicious first
  std::vector<std::string> cleared;     // as bad without fusion
  std::vector<std::string> not_fused;   // no pass made them
  bool by_origin = true;  // false: no row is known to be an origin
};

// Looks at the rows where an error starts; if none is known, at all bad ones.
FusionBlame BlameFusion(const Comparison& on, const Comparison& off,
                        std::span<const GraphRef> graphs);

// Every suspect off. Which of the two groups a pass belongs to its name says;
// where it does not, it stands in both.
FusionSwitch SwitchOff(const FusionBlame& blame);

}  // namespace assay
