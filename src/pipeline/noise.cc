#include "pipeline/noise.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "pipeline/measure_rows.h"
#include "pipeline/open_side.h"
#include "pipeline/plan.h"
#include "pipeline/summary.h"

namespace assay {

Result<Noise> MeasureNoise(const Dump& golden, const CompareOptions& options,
                           const Talk& talk, const std::atomic<bool>& stop) {
  if (options.noise.empty()) return Noise();
  Sources sources(options.models, options.open, stop);
  ASSIGN_OR_RETURN(const Dump noise,
                   OpenSide("noise", options.noise, sources, talk));
  PairOptions pair = options.pair;
  pair.map_file.clear();  // it names target tensors
  ASSIGN_OR_RETURN(const Pairing pairing, PairDumps(golden, noise, pair));
  std::vector<MeasureJob> jobs;
  std::vector<uint32_t> owners;
  const int threads = options.measure.threads;
  for (const Planned& planned : PlanRows(golden, noise, pairing, threads)) {
    if (!planned.job || planned.golden_is_target) continue;
    jobs.push_back(*planned.job);
    owners.push_back(planned.golden);
  }
  const std::vector<Measured> measured =
      MeasureAll(jobs, options, "measuring the noise", stop);
  Noise out{.source = Label(noise)};
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (measured[i].error || !measured[i].done) continue;
    const auto rel = FindMetric("rel_l2")->value(measured[i].stats, {});
    if (rel) out.rel_l2[owners[i]] = rel->AsDouble();
  }
  const auto differ = std::ranges::count_if(
      out.rel_l2, [](const auto& entry) { return entry.second > 0; });
  talk(fmt::format("noise: {} measured, {} differ from golden and give a floor",
                   Counted(out.rel_l2.size(), "tensor"), differ));
  return out;
}

}  // namespace assay
