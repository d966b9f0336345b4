#include "pipeline/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

// The worst thing that happened to each tensor; each is counted once however
// many rows use it.
enum class Use : uint8_t { kNone, kSkipped, kCompared, kError };

Use UseOf(Verdict verdict) {
  if (verdict == Verdict::kError) return Use::kError;
  return verdict == Verdict::kSkipped ? Use::kSkipped : Use::kCompared;
}

// What nobody asked to be left out and cannot be read is trouble, with a
// partner or without. A kind of value that has no numbers is not.
bool IsDamaged(const Unpaired& u, const Dump& dump) {
  const ErrorRef& error = dump.tensors[u.tensor].error();
  return !u.skipped && error && error->code != ErrorCode::kUnsupported;
}

SideCoverage Cover(const std::vector<Use>& uses, const Dump& dump,
                   const std::vector<Unpaired>& unpaired) {
  SideCoverage out{.total = uses.size()};
  for (const Use use : uses) {
    out.compared += use == Use::kCompared;
    out.skipped += use == Use::kSkipped;
    out.error += use == Use::kError;
  }
  for (const Unpaired& u : unpaired) {
    const bool damaged = IsDamaged(u, dump);
    (damaged ? out.error : u.skipped ? out.skipped : out.unpaired)++;
  }
  return out;
}

void ListUnpaired(Side side, const Dump& dump,
                  const std::vector<Unpaired>& unpaired,
                  std::vector<UnpairedTensor>& out) {
  for (const Unpaired& u : unpaired) {
    const TensorInfo& t = dump.tensors[u.tensor];
    const bool damaged = IsDamaged(u, dump);
    std::string why = u.why;
    if (!u.skipped && t.error()) {
      why += fmt::format("; it cannot be read: {}", t.error()->what);
    }
    out.push_back({side, std::string(dump.NameOf(t)), dump.files[t.file],
                   damaged     ? "error"
                   : u.skipped ? "skipped"
                               : "unpaired",
                   std::move(why)});
  }
}

double Percent(const SideCoverage& c) {
  return c.total == 0 ? 100.0
                      : 100.0 * static_cast<double>(c.compared) /
                            static_cast<double>(c.total);
}

// Exit code and the reason where no row shows it.
struct Exit {
  int code = 0;
  std::string why;
};

std::string BelowCoverage(const Comparison& c, double least) {
  for (const auto& [side, coverage] :
       {std::pair(Side::kGolden, &c.golden_coverage),
        std::pair(Side::kTarget, &c.target_coverage)}) {
    if (Percent(*coverage) >= least) continue;
    return fmt::format("{} of {} {} tensors were compared, {} % are wanted",
                       coverage->compared, coverage->total, Name(side),
                       RoundedText(least));
  }
  return "";
}

// A folder that cannot be listed may hold tensors that nobody heard of.
std::string LostPart(const Dump& dump, Side side) {
  const auto lost = std::ranges::find(dump.notes, true, &DumpNote::lost);
  if (lost == dump.notes.end()) return "";
  return fmt::format("{} of the {} side: {}", lost->file, Name(side),
                     lost->text);
}

Exit DecideExit(const Comparison& c, const CompareOptions& options,
                std::string lost, bool stopped) {
  const auto count = [&](Verdict v) {
    return c.counts[static_cast<size_t>(v)];
  };
  if (stopped) return {130, "interrupted: not every pair was measured"};
  if (c.rows.size() == count(Verdict::kSkipped)) {
    return {2, "nothing was compared"};
  }
  if (count(Verdict::kError) > 0) return {2, ""};
  if (const auto damaged =
          std::ranges::find(c.unpaired, "error", &UnpairedTensor::status);
      damaged != c.unpaired.end()) {
    return {2, fmt::format("{} of the {} side cannot be read", damaged->name,
                           Name(damaged->side))};
  }
  if (!lost.empty()) return {2, std::move(lost)};
  if (std::string why = BelowCoverage(c, options.min_coverage); !why.empty()) {
    return {2, std::move(why)};
  }
  if (count(Verdict::kFail) > 0) return {1, ""};
  const bool loose = count(Verdict::kUnsure) > 0 ||
                     count(Verdict::kTrivial) > 0 ||
                     count(Verdict::kSkipped) > 0 || !c.unpaired.empty();
  if (options.strict && loose) {
    return {1,
            "--strict: unsure, trivial, unpaired and skipped count as "
            "failure"};
  }
  return {count(Verdict::kUnsure) > 0 ? 3 : 0, ""};
}

Verdict Overall(const Comparison& c) {
  using enum Verdict;
  // What was not measured may be what is wrong: half a run passes nothing.
  if (c.exit == 2 || c.exit == 130) return kError;
  if (c.exit == 1) return kFail;
  for (const Verdict v : {kFail, kUnsure, kPass, kTrivial}) {
    if (c.counts[static_cast<size_t>(v)] > 0) return v;
  }
  return kSkipped;
}

}  // namespace

SourceLabel Label(const Dump& dump) {
  if (dump.graphs.empty()) return {dump.source, dump.kind, ""};
  return {dump.source, dump.kind, GraphName(dump)};
}

Comparison Summarise(const Dump& golden, const Dump& target,
                     const Pairing& pairing, std::vector<Planned>& planned,
                     const CompareOptions& options,
                     const std::atomic<bool>& stop) {
  Comparison c;
  c.golden = Label(golden);
  c.target = Label(target);
  c.strategy = pairing.strategy;
  c.why_strategy = pairing.why;
  std::vector<Use> golden_use(golden.tensors.size()),
      target_use(target.tensors.size());
  c.rows.reserve(planned.size());
  for (Planned& p : planned) {
    const Use use = UseOf(p.row.verdict);
    Use& first = (p.golden_is_target ? target_use : golden_use)[p.golden];
    first = std::max(first, use);
    target_use[p.target] = std::max(target_use[p.target], use);
    ++c.counts[static_cast<size_t>(p.row.verdict)];
    c.rows.push_back(std::move(p.row));
  }
  c.golden_coverage = Cover(golden_use, golden, pairing.golden);
  c.target_coverage = Cover(target_use, target, pairing.target);
  ListUnpaired(Side::kGolden, golden, pairing.golden, c.unpaired);
  ListUnpaired(Side::kTarget, target, pairing.target, c.unpaired);
  std::string lost = LostPart(golden, Side::kGolden);
  if (lost.empty()) lost = LostPart(target, Side::kTarget);
  Exit exit = DecideExit(c, options, std::move(lost), stop.load());
  c.exit = exit.code;
  c.why = std::move(exit.why);
  c.verdict = Overall(c);
  return c;
}

}  // namespace assay
