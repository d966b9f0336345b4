#include "judge/growth.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/operator_traits.h"
#include "judge/constants.h"
#include "judge/usual.h"

namespace assay {
namespace {

bool IsBad(const Row& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure;
}

void Add(const Row& row, const TensorFacts& facts, Incoming& in) {
  if (row.verdict == Verdict::kError || row.verdict == Verdict::kSkipped) {
    in.complete = false;
  }
  in.equal &= facts.measured && facts.equal;
  if (!facts.measured) {
    in.unmeasured |= IsBad(row);
    if (IsBad(row) && in.worst.empty()) in.worst = row.name;
    return;
  }
  if (in.worst.empty() || facts.rel_l2 > in.rel_l2 ||
      (facts.one_sided && !in.one_sided)) {
    in.worst = row.name;
  }
  in.one_sided |= facts.one_sided;
  in.rel_l2 = std::max(in.rel_l2, facts.rel_l2);
  in.all_rel_l2 += facts.rel_l2;
  in.all_max_part += facts.max_part;
  in.all_scale += facts.scale;
  in.max_part = std::max(in.max_part, facts.max_part);
  in.scale = std::max(in.scale, facts.scale);
  in.rms = std::max(in.rms, facts.rms);
}

}  // namespace

Incoming Gather(const Ingredients& from, std::span<Row* const> rows,
                std::span<const TensorFacts> facts) {
  Incoming in{.complete = from.complete};
  for (const uint32_t k : from.rows) Add(*rows[k], facts[k], in);
  return in;
}

Growth Grow(std::string_view type, const TensorFacts& out, const Incoming& in) {
  const double own = kOwnRoundoffs * out.roundoff;
  const auto ratio = [](double error, double floor) {
    return std::isfinite(floor) && error > 0 ? error / floor : 0;
  };
  Growth g;
  const double l2 = in.rel_l2 + own, max = in.max_part + own;
  g.by_l2 = g.jump = ratio(out.rel_l2, l2);
  g.floor = {"amplification", "rel_l2", l2, g.jump};
  g.incoming = in.rel_l2;
  if (const double jump = ratio(out.max_part, max); jump > g.jump) {
    g.jump = jump;
    g.floor = {"amplification", "max_abs", max * out.element, jump};
    g.incoming = in.max_part;
  }
  // A common factor is known better than any element: rounding averages out.
  const double scale = in.scale + out.roundoff;
  const double jump = ratio(out.scale, scale);
  const double part = IsAmplifier(type) ? kMostlyScale : kPartlyScale;
  if (out.scale >= part * out.rel_l2 && jump > g.jump) {
    g.jump = jump;
    g.floor = {"amplification", "norm_ratio", scale, jump};
    g.incoming = in.scale;
  }
  return g;
}

void Peers::Add(size_t row, std::string_view type, const TensorFacts& out,
                const Incoming& in) {
  const bool counts = out.measured && !out.one_sided && !out.whole &&
                      !in.one_sided && !in.unmeasured && in.rel_l2 > 0 &&
                      std::isfinite(in.rel_l2) && std::isfinite(out.rel_l2) &&
                      std::isfinite(out.max_part) && std::isfinite(out.scale);
  if (!counts) return;
  const double own = kOwnRoundoffs * out.roundoff;
  const auto log_ratio = [&](double error, double before) {
    return std::log((error + own) / (before + own));
  };
  const bool factor = out.scale >= kVisibleScale * out.rel_l2;
  const bool product = IsProduct(type);
  const double rel_l2 = product ? in.all_rel_l2 : in.rel_l2;
  const double max_part = product ? in.all_max_part : in.max_part;
  const double scale = product ? in.all_scale : in.scale;
  members_.push_back(
      {row,
       std::string(type),
       {log_ratio(out.rel_l2, rel_l2), log_ratio(out.max_part, max_part),
        factor ? out.scale - scale : 0},
       {kLeastSpread, kLeastMaxSpread,
        out.roundoff + kVisibleScale * kLeastSpread * out.rel_l2}});
}

void Peers::Compare(std::span<const Member* const> group) {
  std::vector<double> oddity(group.size(), 0);
  for (size_t norm = 0; norm < 3; ++norm) {
    std::vector<double> values;
    for (const Member* m : group) values.push_back(m->growth[norm]);
    const Usual usual = UsualOf(values);
    for (size_t i = 0; i < group.size(); ++i) {
      const double spread = std::max(usual.spread, group[i]->least[norm]);
      oddity[i] = std::max(oddity[i], (values[i] - usual.middle) / spread);
    }
  }
  for (size_t i = 0; i < group.size(); ++i) {
    oddities_.emplace_back(group[i]->row, oddity[i]);
  }
}

// Rare types are compared with all operators.
void Peers::Finish() {
  std::map<std::string_view, std::vector<const Member*>> groups;
  std::vector<const Member*> all;
  for (const Member& m : members_) {
    groups[m.type].push_back(&m);
    all.push_back(&m);
  }
  if (all.size() >= kEnoughPeers) Compare(all);
  std::stable_sort(oddities_.begin(), oddities_.end());
  std::map<size_t, double> among_all(oddities_.begin(), oddities_.end());
  oddities_.clear();
  for (const auto& [type, group] : groups) {
    if (group.size() >= kEnoughPeers && !type.empty()) {
      Compare(group);
    } else {
      for (const Member* m : group) {
        oddities_.emplace_back(m->row, among_all[m->row]);
      }
    }
  }
  std::sort(oddities_.begin(), oddities_.end());
}

double Peers::Oddity(size_t row) const {
  const auto found = std::lower_bound(
      oddities_.begin(), oddities_.end(), row,
      [](const auto& entry, size_t wanted) { return entry.first < wanted; });
  return found == oddities_.end() || found->first != row ? 0 : found->second;
}

}  // namespace assay
