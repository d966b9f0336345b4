#include "judge/causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <tuple>

#include "base/text.h"
#include "core/operator_traits.h"
#include "judge/constants.h"
#include "judge/type_floor.h"

namespace assay {
namespace {

bool IsBad(const Row& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure;
}

bool IsUnread(const Row& row) {
  return row.verdict == Verdict::kError || row.verdict == Verdict::kSkipped;
}

bool IsWhole(DType type) {
  const DKind kind = Info(type).kind;
  return kind == DKind::kInteger || kind == DKind::kBool;
}

double ValueOf(std::string_view metric, const PairStats& stats) {
  const auto value = FindMetric(metric)->value(stats, {});
  return value ? value->AsDouble() : HUGE_VAL;
}

uint64_t Mixed(uint64_t hash, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

uint64_t ContentOf(const PairStats& s) {
  uint64_t hash = s.count;
  for (const double x :
       {s.golden.mean, s.golden.m2, s.target.mean, s.target.m2, s.sum_dd,
        Number(s.max_golden, s.golden_kind).AsDouble(),
        Number(s.min_target, s.target_kind).AsDouble()}) {
    hash = Mixed(hash, x);
  }
  return hash;
}

// Size of a large element, as the type level sees it.
double LargeElement(const PairStats& s, double rms) {
  const double n = std::max(static_cast<double>(s.used), 2.0);
  return std::max({rms * std::sqrt(2 * std::log(n)),
                   std::fabs(Number(s.min_golden, s.golden_kind).AsDouble()),
                   std::fabs(Number(s.max_golden, s.golden_kind).AsDouble())});
}

// The worst of the ingredients, norm by norm.
struct Incoming {
  double rel_l2 = 0, max_part = 0, scale = 0, rms = 0;
  bool one_sided = false;
  bool unmeasured = false;  // bad, but without numbers
  bool equal = true;
  bool complete = true;
  std::string worst;  // name of the row with the largest error
};

void Add(const Row& row, const TensorFacts& facts, Incoming& in) {
  if (IsUnread(row)) in.complete = false;
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
  in.max_part = std::max(in.max_part, facts.max_part);
  in.scale = std::max(in.scale, facts.scale);
  in.rms = std::max(in.rms, facts.rms);
}

// How much larger the error is than what came in and the operator's own
// rounding, by the norm that shows it best.
struct Growth {
  double jump = 0;  // by that norm
  double by_l2 = 0;
  Floor floor;
  double incoming = 0;  // the error that came in, same norm
};

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

struct Told {
  Cause cause = Cause::kUnknown;
  std::string why;
};

std::string Through(const Ingredients& from) {
  if (from.through.empty()) return "";
  const size_t shown = std::min<size_t>(from.through.size(), 3);
  return fmt::format(
      " or in {}{}, not compared",
      fmt::join(from.through.begin(),
                from.through.begin() + static_cast<std::ptrdiff_t>(shown),
                ", "),
      shown < from.through.size() ? " …" : "");
}

// Where not every ingredient was compared, nothing is proven.
Told Made(const Incoming& in, const Ingredients& from, std::string why) {
  if (!in.complete) {
    return {Cause::kUnknown,
            why + "; but some of its inputs were not compared"};
  }
  return {Cause::kOrigin, why + Through(from)};
}

Told OfNonFinite(const Incoming& in, const Ingredients& from) {
  if (in.one_sided) {
    return {Cause::kInherited, fmt::format("NaN/Inf come from {}", in.worst)};
  }
  return Made(in, from,
              from.is_input ? "its producer has no NaN/Inf"
                            : "its inputs have no NaN/Inf of their own: they "
                              "are made here");
}

Told OfChoice(const Incoming& in, const Ingredients& from) {
  if (in.equal) return Made(in, from, "its inputs are equal");
  return {Cause::kInherited,
          fmt::format("{} differs, which may change it altogether", in.worst)};
}

// Bad rows without numbers: shapes, kinds, statistics.
Told OfUnmeasured(const Row& row, const Incoming& in, const Ingredients& from) {
  if (in.unmeasured || in.one_sided) {
    return {Cause::kInherited, fmt::format("{} is bad already", in.worst)};
  }
  if (row.verdict == Verdict::kUnsure) return {};
  return Made(in, from, "its inputs are not");
}

Told OfGrowth(const Growth& growth, const Incoming& in,
              const Ingredients& from) {
  if (in.one_sided || in.unmeasured) {
    return {Cause::kInherited, fmt::format("{} is bad already", in.worst)};
  }
  const std::string_view what =
      from.is_input ? "its producer agrees" : "its inputs agree";
  if (growth.jump < kJump) {
    return {Cause::kInherited,
            fmt::format("{} is off by {} already; the error grows {}-fold here",
                        in.worst, RoundedText(growth.incoming, 2),
                        RoundedText(growth.jump, 2))};
  }
  if (!std::isfinite(growth.jump)) {
    return Made(in, from, fmt::format("{} exactly", what));
  }
  return Made(in, from,
              fmt::format("{} to {}; the error grows {}-fold here", what,
                          RoundedText(growth.incoming, 2),
                          RoundedText(growth.jump, 3)));
}

bool IsBool(const Row& row) {
  return !row.golden.empty() && row.golden.front().dtype == Name(DType::kBool);
}

// Nothing but this operator can have made so large an error.
bool IsSure(const Row& row, const TensorFacts& out, const Growth& growth,
            const Incoming& in) {
  return growth.by_l2 >= kSureJump && !out.whole && !MayAmplify(row.type) &&
         out.rms >= in.rms / kCancellation;
}

void Apply(const Told& found, Row& row) {
  row.cause = found.cause;
  if (!found.why.empty()) row.why += "; " + found.why;
}

void JudgeOne(const TensorFacts& out, const Incoming& in,
              const Ingredients& from, Row& row) {
  if (!out.measured) return Apply(OfUnmeasured(row, in, from), row);
  if (out.one_sided) return Apply(OfNonFinite(in, from), row);
  const bool choice = out.whole && (IsChoice(row.type) || IsBool(row));
  if (choice && !from.is_input) {
    const Told found = OfChoice(in, from);
    if (found.cause == Cause::kOrigin) {
      row.verdict = Verdict::kFail;
      row.floor = Floor{.level = "exact"};
    }
    return Apply(found, row);
  }
  const Growth growth = Grow(row.type, out, in);
  const Told found = OfGrowth(growth, in, from);
  if (row.verdict == Verdict::kUnsure && growth.jump > 0) {
    row.floor = growth.floor;
    if (found.cause == Cause::kOrigin && !from.is_input &&
        IsSure(row, out, growth, in)) {
      row.verdict = Verdict::kFail;
    }
  }
  Apply(found, row);
}

}  // namespace

TensorFacts FactsOf(const PairStats& s, DType golden, DType target) {
  TensorFacts facts{.measured = true,
                    .equal = s.equal == s.count,
                    .one_sided = s.one_sided_at != PairStats::kNowhere,
                    .whole = IsWhole(golden) && IsWhole(target),
                    .content = ContentOf(s)};
  if (s.used == 0) return facts;
  facts.rms = std::sqrt(s.SumSquaresGolden() / static_cast<double>(s.used));
  if (facts.equal) return facts;
  facts.rel_l2 = ValueOf("rel_l2", s);
  facts.scale = std::fabs(ValueOf("norm_ratio", s) - 1);
  facts.element = LargeElement(s, facts.rms);
  const double max_abs = Number(s.max_abs, s.diff_kind).AsDouble();
  facts.max_part = facts.element > 0 ? max_abs / facts.element : HUGE_VAL;
  facts.roundoff = CoarsestRounding(golden, target, s).roundoff;
  if (facts.whole && facts.rms > 0) facts.roundoff = kIntegerStep / facts.rms;
  return facts;
}

void FindCauses(std::span<Row* const> rows, std::span<const TensorFacts> facts,
                std::span<const Ingredients> ingredients) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!IsBad(*rows[i])) continue;
    rows[i]->cause = Cause::kUnknown;
    const Ingredients& from = ingredients[i];
    if (from.rows.empty()) continue;
    Incoming in{.complete = from.complete};
    for (const uint32_t k : from.rows) Add(*rows[k], facts[k], in);
    JudgeOne(facts[i], in, from, *rows[i]);
  }
}

std::vector<std::string> RankOrigins(std::span<const Row> rows) {
  std::vector<const Row*> origins;
  for (const Row& row : rows) {
    if (row.cause == Cause::kOrigin) origins.push_back(&row);
  }
  const auto key = [](const Row* row) {
    // Failures are certain: the first one is the one to look at.
    const bool sure = row->verdict == Verdict::kFail;
    const bool number = row->floor && row->floor->margin;
    return std::tuple(!sure, !sure && IsAmplifier(row->type),
                      sure || !number ? 0 : -*row->floor->margin, row->number);
  };
  std::stable_sort(origins.begin(), origins.end(),
                   [&](const Row* a, const Row* b) { return key(a) < key(b); });
  std::vector<std::string> out;
  std::set<std::string_view> seen;
  for (const Row* row : origins) {
    if (seen.insert(row->op).second) out.push_back(row->op);
  }
  return out;
}

}  // namespace assay
