#include "judge/causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "core/operator_traits.h"
#include "judge/constants.h"
#include "judge/growth.h"

namespace assay {
namespace {

bool IsBad(const Row& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure;
}

bool StandsOut(const Row& row, double oddity) {
  return oddity >=
         (IsExponential(row.type) ? kExponentialStandsOut : kStandsOut);
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
Told Made(const Incoming& in, const Ingredients& from, const std::string& why) {
  if (!in.complete) {
    return {Cause::kUnknown,
            why + "; but some of its inputs were not compared"};
  }
  return {Cause::kOrigin, why + Through(from)};
}

constexpr std::string_view kFirst = "no operator comes before it";

Told MadeFirst(const Incoming& in, const Ingredients& from) {
  return Made(in, from, fmt::format("{}; it is made here", kFirst));
}

Told OfNonFinite(const Incoming& in, const Ingredients& from) {
  if (in.one_sided) {
    return {Cause::kInherited, fmt::format("NaN/Inf come from {}", in.worst)};
  }
  if (from.rows.empty()) return MadeFirst(in, from);
  return Made(in, from,
              from.is_input ? "its producer has no NaN/Inf"
                            : "its inputs have no NaN/Inf of their own: they "
                              "are made here");
}

Told OfChoice(const Incoming& in, const Ingredients& from) {
  if (from.rows.empty()) return MadeFirst(in, from);
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
  if (from.rows.empty()) return MadeFirst(in, from);
  return Made(in, from, "its inputs are as they should be");
}

// "its inputs agree to 3.1e-4".
std::string AgreeText(double error, const Ingredients& from) {
  if (from.rows.empty()) return std::string(kFirst);
  const std::string_view who = from.is_input ? "its producer" : "its inputs";
  if (error == 0) {
    return fmt::format("{} {} equal", who, from.is_input ? "is" : "are");
  }
  return fmt::format("{} {} to {}", who, from.is_input ? "agrees" : "agree",
                     RoundedText(error, 2));
}

struct Bad {
  const TensorFacts& out;
  const Incoming& in;
  const Ingredients& from;
  bool stands_out = false;
  bool given_bad = false;  // an ingredient is a bad row itself
};

std::string OddText(const OddSlice& odd) {
  return fmt::format(
      "; but index {} of dimension {} has a factor of its own, off by {}, that "
      "the inputs do not show",
      odd.index, odd.axis, RoundedText(odd.off, 2));
}

// What growth says, alone and next to other operators of its type; and what a
// single index does.
Told OfGrowth(const Growth& growth, const Bad& bad) {
  const auto& [out, in, from, stands_out, given_bad] = bad;
  if (in.one_sided || in.unmeasured) {
    return {Cause::kInherited, fmt::format("{} is bad already", in.worst)};
  }
  if (in.rel_l2 >= kAllLost) {
    return {Cause::kInherited,
            fmt::format("{} is off by {} already, nothing of it is left",
                        in.worst, RoundedText(in.rel_l2, 2))};
  }
  if (growth.jump >= kJump) {
    return Made(in, from,
                AgreeText(growth.incoming, from) +
                    fmt::format("; the error grows {}-fold here",
                                RoundedText(growth.jump, 3)));
  }
  const std::string before = fmt::format(
      "{} is off by {} already; the error grows {}-fold here", in.worst,
      RoundedText(growth.incoming, 2), RoundedText(growth.jump, 2));
  if (stands_out) {
    return Made(in, from,
                before + ", far more than in other operators of its type");
  }
  if (out.odd) return Made(in, from, before + OddText(*out.odd));
  return {Cause::kInherited, before};
}

bool IsBool(const Row& row) {
  return !row.golden.empty() && row.golden.front().dtype == Name(DType::kBool);
}

// Nothing but this operator can have made so large an error.
bool IsSure(const Row& row, const TensorFacts& out, const Growth& growth,
            const Incoming& in, const Ingredients& from) {
  return !from.is_input && from.through.empty() && growth.by_l2 >= kSureJump &&
         !out.whole && !MayAmplify(row.type) &&
         out.rms >= in.rms / kCancellation;
}

void Apply(const Told& found, Row& row) {
  row.cause = found.cause;
  if (!found.why.empty()) row.why += "; " + found.why;
}

// How well it is proven that an operator makes the error; less is better.
enum class Proof : uint8_t { kFailure, kStrong, kOdd, kGrowth, kAmplifier };

struct Origin {
  Proof proof = Proof::kGrowth;
  double jump = 0;
  const Row* row = nullptr;
};

bool JudgeChoice(const Bad& bad, Row& row) {
  if (!bad.out.whole || bad.from.is_input) return false;
  if (!IsChoice(row.type) && !IsBool(row)) return false;
  const Told told = OfChoice(bad.in, bad.from);
  if (told.cause == Cause::kOrigin && bad.from.through.empty()) {
    row.verdict = Verdict::kFail;
    row.floor = Floor{.level = "exact"};
  }
  Apply(told, row);
  return true;
}

// The growth that decided; none where facts did.
Growth JudgeOne(const Bad& bad, Row& row) {
  if (!bad.out.measured) {
    Apply(OfUnmeasured(row, bad.in, bad.from), row);
    return {};
  }
  if (bad.out.one_sided) {
    Apply(OfNonFinite(bad.in, bad.from), row);
    return {};
  }
  if (JudgeChoice(bad, row)) return {};
  Growth growth = Grow(row.type, bad.out, bad.in);
  const Told told = OfGrowth(growth, bad);
  if (row.verdict == Verdict::kUnsure && growth.jump > 0) {
    row.floor = growth.floor;
    if (told.cause == Cause::kOrigin &&
        IsSure(row, bad.out, growth, bad.in, bad.from)) {
      row.verdict = Verdict::kFail;
    }
  }
  Apply(told, row);
  return growth;
}

// Equal inputs leave no other explanation, whatever the operator does. One that
// amplifies may fail for what it was given: a saturated Sigmoid.
Proof ProofOf(const Row& row, const Bad& bad, double jump) {
  const bool excused = bad.given_bad && jump > 0 && IsAmplifier(row.type);
  if (row.verdict == Verdict::kFail && !excused) return Proof::kFailure;
  if (bad.in.equal) return Proof::kStrong;
  if (bad.stands_out) return jump >= kSureJump ? Proof::kStrong : Proof::kOdd;
  if (bad.out.odd) return Proof::kOdd;
  if (IsAmplifier(row.type)) return Proof::kAmplifier;
  return jump >= kSureJump ? Proof::kStrong : Proof::kGrowth;
}

// Errors after the first are its consequences, where the order is known.
std::vector<std::string> Ranked(std::vector<Origin> origins) {
  const bool ordered =
      std::all_of(origins.begin(), origins.end(),
                  [](const Origin& o) { return o.row->order.has_value(); });
  std::stable_sort(origins.begin(), origins.end(),
                   [&](const Origin& a, const Origin& b) {
                     if (a.proof != b.proof) return a.proof < b.proof;
                     const bool early = ordered && a.proof <= Proof::kOdd;
                     return !early && a.jump > b.jump;
                   });
  std::vector<std::string> out;
  std::set<std::string_view> seen;
  for (const Origin& o : origins) {
    if (seen.insert(o.row->op).second) out.push_back(o.row->op);
  }
  return out;
}

Peers PeersOf(std::span<Row* const> rows, std::span<const TensorFacts> facts,
              std::span<const Ingredients> ingredients) {
  Peers peers;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Ingredients& from = ingredients[i];
    if (from.rows.empty() || from.is_input) continue;
    peers.Add(i, rows[i]->type, facts[i], Gather(from, rows, facts));
  }
  peers.Finish();
  return peers;
}

}  // namespace

std::vector<std::string> FindCauses(std::span<Row* const> rows,
                                    std::span<const TensorFacts> facts,
                                    std::span<const Ingredients> ingredients) {
  const Peers peers = PeersOf(rows, facts, ingredients);
  std::vector<Origin> origins;
  for (size_t i = 0; i < rows.size(); ++i) {
    Row& row = *rows[i];
    if (!IsBad(row)) continue;
    row.cause = Cause::kUnknown;
    const Ingredients& from = ingredients[i];
    const bool first = from.traced && from.complete;
    if (from.rows.empty() && !first) continue;
    const Incoming in = Gather(from, rows, facts);
    const bool stands_out = StandsOut(row, peers.Oddity(i));
    const bool given_bad = std::ranges::any_of(
        from.rows, [&](uint32_t k) { return IsBad(*rows[k]); });
    const Bad bad = {facts[i], in, from, stands_out, given_bad};
    const double jump = JudgeOne(bad, row).jump;
    if (row.cause != Cause::kOrigin) continue;
    origins.push_back({ProofOf(row, bad, jump), jump, &row});
  }
  return Ranked(std::move(origins));
}

}  // namespace assay
