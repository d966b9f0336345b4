#include "pairing/content.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "base/text.h"
#include "pairing/builder.h"

namespace assay {
namespace {

constexpr double kFarthest = 0.25;  // more is another tensor
constexpr double kClearly = 4;      // the next must be so many times as far
constexpr size_t kShown = 3;        // candidates in a reason

// Size and kind: dimensions in any order, those of one left out.
using Class = std::pair<DKind, Shape>;
Class ClassOf(const Fingerprint& print) {
  Class out{print.kind, print.shape};
  std::erase(out.second, 1);
  std::ranges::sort(out.second);
  return out;
}

struct Candidate {
  uint32_t tensor = 0;
  double distance = 0;
};

struct Part {
  const Dump* dump = nullptr;
  const std::vector<Fingerprint>* prints = nullptr;
  std::map<Class, std::vector<uint32_t>> classes;  // sorted by rms
  std::vector<bool> free;

  const Fingerprint& Print(uint32_t i) const { return (*prints)[i]; }
};

Part MakePart(const Dump& dump, const std::vector<Fingerprint>& prints) {
  Part side{.dump = &dump, .prints = &prints};
  side.free.resize(prints.size());
  for (uint32_t i = 0; i < prints.size(); ++i) {
    side.free[i] = prints[i].known;
    if (prints[i].known) side.classes[ClassOf(prints[i])].push_back(i);
  }
  for (auto& [cls, list] : side.classes) {
    std::ranges::stable_sort(list, {},
                             [&](uint32_t i) { return prints[i].rms; });
  }
  return side;
}

// The free ones of the other side that are near enough, the nearest first.
std::vector<Candidate> CandidatesFor(const Fingerprint& print,
                                     const Part& other) {
  std::vector<Candidate> out;
  const auto found = other.classes.find(ClassOf(print));
  if (found == other.classes.end()) return out;
  const auto rms = [&](uint32_t i) { return other.Print(i).rms; };
  const auto begin = std::ranges::lower_bound(
      found->second, print.rms * (1 - kFarthest), {}, rms);
  for (auto at = begin; at != found->second.end(); ++at) {
    if (rms(*at) * (1 - kFarthest) > print.rms) break;
    if (!other.free[*at]) continue;
    const double distance = Distance(print, other.Print(*at));
    if (distance <= kFarthest) out.push_back({*at, distance});
  }
  std::ranges::stable_sort(out, {}, &Candidate::distance);
  return out;
}

// The first, if the second is far behind it.
const Candidate* ClearBest(const std::vector<Candidate>& all) {
  constexpr double kNothing = 1e-6;
  if (all.empty()) return nullptr;
  const bool clear = all.size() == 1 ||
                     all[1].distance > kClearly * all[0].distance + kNothing;
  return clear ? &all[0] : nullptr;
}

// One sweep over the free ones; how many were paired.
size_t Sweep(Part& golden, Part& target, PairingBuilder& out) {
  size_t count = 0;
  for (uint32_t g = 0; g < golden.free.size(); ++g) {
    if (!golden.free[g]) continue;
    const auto mine = CandidatesFor(golden.Print(g), target);
    const Candidate* best = ClearBest(mine);
    if (best == nullptr) continue;
    const auto back = CandidatesFor(target.Print(best->tensor), golden);
    const Candidate* mutual = ClearBest(back);
    if (mutual == nullptr || mutual->tensor != g) continue;
    golden.free[g] = target.free[best->tensor] = false;
    ++count;
    out.Add(g, best->tensor,
            fmt::format("guessed: size, kind and statistics agree to {} %",
                        RoundedText(100 * best->distance, 2)));
  }
  return count;
}

std::string NamesOf(const std::vector<Candidate>& all, const Dump& dump) {
  std::string names;
  for (size_t i = 0; i < std::min(kShown, all.size()); ++i) {
    names += names.empty() ? "" : ", ";
    names += dump.NameOf(dump.tensors[all[i].tensor]);
  }
  if (all.size() > kShown)
    names += fmt::format(", {} more", all.size() - kShown);
  return names;
}

std::string WhyAlone(const Part& mine, uint32_t i, const Part& other,
                     std::string_view side) {
  if (!mine.Print(i).known) return "it has no values to go by";
  if (!other.classes.contains(ClassOf(mine.Print(i)))) {
    return fmt::format("no {} tensor has this size and kind", side);
  }
  const auto all = CandidatesFor(mine.Print(i), other);
  if (all.empty()) {
    return fmt::format("no {} tensor that is left has values like it", side);
  }
  return fmt::format("ambiguous: its values fit {}", NamesOf(all, *other.dump));
}

double Relative(double difference, double scale) {
  if (difference == 0) return 0;
  return scale > 0 ? std::fabs(difference) / scale : 1;
}

// Of the first values, against their size.
double FirstDistance(const Fingerprint& a, const Fingerprint& b) {
  const size_t n = std::min(a.first.size(), b.first.size());
  double difference = 0, size = 0;
  for (size_t i = 0; i < n; ++i) {
    const double x = a.first[i], y = b.first[i];
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    difference += (x - y) * (x - y);
    size += std::max(x * x, y * y);
  }
  return std::min(1.0, Relative(std::sqrt(difference), std::sqrt(size)));
}

}  // namespace

double Distance(const Fingerprint& a, const Fingerprint& b) {
  const double rms = std::max(a.rms, b.rms);
  const double most = std::max(
      {std::fabs(a.min), std::fabs(a.max), std::fabs(b.min), std::fabs(b.max)});
  const double statistics =
      std::max({Relative(a.rms - b.rms, rms), Relative(a.mean - b.mean, rms),
                Relative(a.min - b.min, most), Relative(a.max - b.max, most)});
  constexpr double kWeight = 0.5;  // a few values are not the tensor
  const bool same_shape = a.shape == b.shape;
  return statistics + (same_shape ? kWeight * FirstDistance(a, b) : 0);
}

Result<Pairing> PairByContent(const Dump& golden, const Dump& target,
                              const std::vector<Fingerprint>& golden_prints,
                              const std::vector<Fingerprint>& target_prints,
                              const PairOptions& options) {
  PairingBuilder out(golden, target);
  Part theirs = MakePart(golden, golden_prints);
  Part mine = MakePart(target, target_prints);
  // Each pair takes candidates away from others.
  constexpr int kMostSweeps = 8;
  for (int i = 0; i < kMostSweeps && Sweep(theirs, mine, out) > 0; ++i) {
  }
  return out.Finish(
      options, [&](uint32_t g) { return WhyAlone(theirs, g, mine, "target"); },
      [&](uint32_t t) { return WhyAlone(mine, t, theirs, "golden"); });
}

}  // namespace assay
