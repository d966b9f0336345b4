#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "legacy/msaccucmp_log.h"
#include "legacy/msaccucmp_metrics.h"

namespace assay {

// A column of numbers: an algorithm of msaccucmp, or a user's script.
struct OldAlgorithm {
  std::string name;
  std::optional<MsaccucmpMetric> metric;       // none: a script
  std::string script;                          // its path
  std::map<std::string, std::string> options;  // of -a
};

struct AlgorithmWords {
  std::vector<std::string> alg;  // what -alg was given; empty: all
  std::string folder;            // -c
  std::string options;           // -a "Alg:key=value,key2=value2;Alg2:…"
};

OldResult<std::vector<OldAlgorithm>> ChooseAlgorithms(
    const AlgorithmWords& words);

}  // namespace assay
