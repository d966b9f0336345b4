#include "pipeline/compare.h"

#include <fmt/format.h>

#include <filesystem>

#include "advice/rule.h"
#include "base/text.h"
#include "judge/summary_limits.h"
#include "pairing/name_log.h"
#include "pipeline/attribute.h"
#include "pipeline/choose_graphs.h"
#include "pipeline/examine_rows.h"
#include "pipeline/fingerprint.h"
#include "pipeline/judge_rows.h"
#include "pipeline/large_weights.h"
#include "pipeline/load_graphs.h"
#include "pipeline/measure_rows.h"
#include "pipeline/noise.h"
#include "pipeline/open_side.h"
#include "pipeline/outline_graphs.h"
#include "pipeline/plan.h"
#include "pipeline/row_details.h"
#include "pipeline/second_look.h"
#include "pipeline/summary.h"

namespace assay {
namespace {

// How the sides are paired is what people look for first; what was opened
// before that is told after it.
class PairingFirst {
 public:
  explicit PairingFirst(const Talk& out) : out_(out) {}
  ~PairingFirst() { Flush(); }

  void Say(const std::string& line) {
    held_ ? held_->push_back(line) : out_(line);
  }
  void Pairing(const assay::Pairing& pairing) {
    out_(
        fmt::format("pairing: {} (because {})", pairing.strategy, pairing.why));
    Flush();
  }

 private:
  void Flush() {
    if (!held_) return;
    for (const std::string& line : *held_) out_(line);
    held_.reset();
  }

  const Talk& out_;
  std::optional<std::vector<std::string>> held_{std::in_place};
};

Status UseNameLog(const std::string& path, const Talk& talk, Dump& golden) {
  if (path.empty()) return Done{};
  ASSIGN_OR_RETURN(const uint32_t renamed, ApplyNameLog(path, golden));
  talk(fmt::format("name log: {} got its name back",
                   Counted(renamed, "golden tensor")));
  return Done{};
}

}  // namespace

Result<Comparison> Compare(const CompareOptions& options, const Talk& out,
                           const std::atomic<bool>& stop) {
  RETURN_IF_ERROR(CheckPairOptions(options.pair));
  PairingFirst first(out);
  const Talk talk = [&](const std::string& line) { first.Say(line); };
  Sources sources(options.models, options.open, stop);
  // Nobody waits for the target's files to hear that golden is not there.
  std::error_code ignored;
  if (std::filesystem::exists(options.golden, ignored)) {
    sources.OpenAhead(options.target);
  }
  ASSIGN_OR_RETURN(Dump golden,
                   OpenSide("golden", options.golden, sources, talk));
  ASSIGN_OR_RETURN(Dump target,
                   OpenSide("target", options.target, sources, talk));
  RETURN_IF_ERROR(UseNameLog(options.name_log, talk, golden));
  PairOptions pair_options = options.pair;
  ASSIGN_OR_RETURN(pair_options.quant,
                   LoadGraphs(options, talk, golden, target));
  pair_options.graph_folder = IsGraphFolder(options.graph);
  pair_options.fingerprints = [&](const Dump& dump) {
    return TakeFingerprints(dump, options.measure, options.show_progress, stop);
  };
  ASSIGN_OR_RETURN(const Pairing pairing,
                   PairDumps(golden, target, pair_options));
  first.Pairing(pairing);
  ASSIGN_OR_RETURN(const Noise noise,
                   MeasureNoise(golden, options, talk, stop));

  std::vector<Planned> planned =
      PlanRows(golden, target, pairing, options.measure.threads);
  std::vector<Planned*> owners;  // of the jobs
  std::vector<Measured> measured = MeasureRows(planned, options, stop, owners);
  JudgeRows(owners, measured, noise, options);
  for (Planned& p : planned) LimitSummaryRow(options.judge, p.row);
  ExamineBadRows(owners, measured, options, stop);
  std::vector<std::string> origins = Attribute(
      golden, target, {owners, measured, options.measure, stop}, planned);
  PassOverRows(options, owners, measured, stop, planned);
  NoteLargeWeights(golden, target, owners, measured);
  LookAgain(owners, measured, options.measure, stop);
  KeepDetails(owners, measured, options.details, options.measure.threads, stop);
  measured = {};
  Comparison c = Summarise(golden, target, pairing, planned, options, stop);
  c.noise = noise.source;
  OutlineGraphs(golden, target, planned, c);
  c.origins = std::move(origins);
  c.findings = Advise(c);
  return c;
}

}  // namespace assay
