// Two dumps of msprobe: module or API, call, direction and position are in the
// names, and the same on both sides whatever the device.
#include "pairing/pair_by_names.h"

namespace assay {
namespace {

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  const bool both = golden.kind == "msprobe" && target.kind == "msprobe";
  if (!both || !options.map_file.empty()) return "";
  return "both sides are dumps of msprobe, which names calls alike";
}

}  // namespace

extern constinit const Strategy kMsprobeNames = {
    .name = "msprobe-names",
    .summary = "two dumps of msprobe, by module or API, call and position",
    .fits = Fits,
    .pair = PairByNames,
};

}  // namespace assay
