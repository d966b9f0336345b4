#include "pipeline/summary.h"

#include <algorithm>

namespace assay {
namespace {

// The worst thing that happened to each tensor; each is counted once however
// many rows use it.
enum class Use : uint8_t { kNone, kSkipped, kCompared, kError };

Use UseOf(Verdict verdict) {
  if (verdict == Verdict::kError) return Use::kError;
  return verdict == Verdict::kSkipped ? Use::kSkipped : Use::kCompared;
}

SideCoverage Cover(const std::vector<Use>& uses,
                   const std::vector<Unpaired>& unpaired) {
  SideCoverage out{.total = uses.size()};
  for (const Use use : uses) {
    out.compared += use == Use::kCompared;
    out.skipped += use == Use::kSkipped;
    out.error += use == Use::kError;
  }
  for (const Unpaired& u : unpaired) (u.skipped ? out.skipped : out.unpaired)++;
  return out;
}

void ListUnpaired(Side side, const Dump& dump,
                  const std::vector<Unpaired>& unpaired,
                  std::vector<UnpairedTensor>& out) {
  for (const Unpaired& u : unpaired) {
    const TensorInfo& t = dump.tensors[u.tensor];
    out.push_back({side, std::string(dump.NameOf(t)), dump.files[t.file],
                   u.skipped ? "skipped" : "unpaired", u.why});
  }
}

double Percent(const SideCoverage& c) {
  return c.total == 0 ? 100.0
                      : 100.0 * static_cast<double>(c.compared) /
                            static_cast<double>(c.total);
}

int ExitCode(const Comparison& c, const CompareOptions& options, bool stopped) {
  const auto count = [&](Verdict v) {
    return c.counts[static_cast<size_t>(v)];
  };
  const double coverage =
      std::min(Percent(c.golden_coverage), Percent(c.target_coverage));
  if (stopped) return 130;
  // Rows that were all skipped compared nothing either.
  if (c.rows.size() == count(Verdict::kSkipped) || count(Verdict::kError) > 0 ||
      coverage < options.min_coverage) {
    return 2;
  }
  if (count(Verdict::kFail) > 0) return 1;
  const bool loose = count(Verdict::kUnsure) > 0 ||
                     count(Verdict::kTrivial) > 0 ||
                     count(Verdict::kSkipped) > 0 || !c.unpaired.empty();
  if (options.strict && loose) return 1;
  return count(Verdict::kUnsure) > 0 ? 3 : 0;
}

Verdict Overall(const Comparison& c) {
  using enum Verdict;
  if (c.exit == 2) return kError;
  for (const Verdict v : {kFail, kUnsure, kPass, kTrivial}) {
    if (c.counts[static_cast<size_t>(v)] > 0) return v;
  }
  return kSkipped;
}

SourceLabel Label(const Dump& dump) { return {dump.source, dump.kind, ""}; }

}  // namespace

Comparison Summarise(const Dump& golden, const Dump& target,
                     const Pairing& pairing, std::vector<Planned> planned,
                     const CompareOptions& options,
                     const std::atomic<bool>& stop) {
  Comparison c;
  c.golden = Label(golden);
  c.target = Label(target);
  if (!options.noise.empty()) c.noise = SourceLabel{options.noise, "plain", ""};
  c.strategy = pairing.strategy;
  c.why_strategy = pairing.why;
  std::vector<Use> golden_use(golden.tensors.size()),
      target_use(target.tensors.size());
  c.rows.reserve(planned.size());
  for (Planned& p : planned) {
    const Use use = UseOf(p.row.verdict);
    golden_use[p.golden] = std::max(golden_use[p.golden], use);
    target_use[p.target] = std::max(target_use[p.target], use);
    ++c.counts[static_cast<size_t>(p.row.verdict)];
    c.rows.push_back(std::move(p.row));
  }
  c.golden_coverage = Cover(golden_use, pairing.golden);
  c.target_coverage = Cover(target_use, pairing.target);
  ListUnpaired(Side::kGolden, golden, pairing.golden, c.unpaired);
  ListUnpaired(Side::kTarget, target, pairing.target, c.unpaired);
  c.exit = ExitCode(c, options, stop.load());
  c.verdict = Overall(c);
  return c;
}

}  // namespace assay
