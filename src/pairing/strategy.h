#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/dump.h"
#include "core/pairing.h"
#include "pairing/fingerprint.h"

namespace re2 {
class RE2;
}

namespace assay {

// What the user says about names.
struct PairOptions {
  std::string strategy;                // --pairing; empty: chosen
  std::string map_file;                // --map
  std::vector<std::string> renames;    // --rename s/RE/TEXT/
  std::string only;                    // --only
  std::shared_ptr<const Graph> quant;  // --quant; null: none
  bool graph_folder = false;           // --graph names a folder
  // Reads the values of a dump, for by-content; one entry per tensor.
  std::function<Result<std::vector<Fingerprint>>(const Dump&)> fingerprints;
};

// One way to pair the tensors of two dumps.
struct Strategy {
  std::string_view name;
  std::string_view summary;
  // Why it fits these two; empty when it does not.
  std::string (*fits)(const Dump& golden, const Dump& target,
                      const PairOptions& options);
  Result<Pairing> (*pair)(const Dump& golden, const Dump& target,
                          const PairOptions& options);
};

// In the order of asking.
std::span<const Strategy* const> AllStrategies();

// What can be wrong with the options before any source is opened.
Status CheckPairOptions(const PairOptions& options);

// Pairs with the strategy asked for, or the first that fits.
Result<Pairing> PairDumps(const Dump& golden, const Dump& target,
                          const PairOptions& options);

}  // namespace assay
