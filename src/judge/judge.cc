#include "judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "judge/type_floor.h"

namespace assay {
namespace {

using Answer = std::optional<Judgement>;

// NaN equals nothing; where both sides have it the row says so.
bool AllEqual(const PairStats& s) { return s.equal + s.nan_golden == s.count; }

bool IsConstant(RawNumber low, RawNumber high, NumberKind kind) {
  return !Less(low, high, kind);
}
bool GoldenConstant(const PairStats& s) {
  return IsConstant(s.min_golden, s.max_golden, s.golden_kind);
}
bool TargetConstant(const PairStats& s) {
  return IsConstant(s.min_target, s.max_target, s.target_kind);
}
bool GoldenZero(const PairStats& s) {
  return GoldenConstant(s) &&
         Number(s.min_golden, s.golden_kind).AsDouble() == 0;
}
bool TargetZero(const PairStats& s) {
  return TargetConstant(s) &&
         Number(s.min_target, s.target_kind).AsDouble() == 0;
}

double Value(const Evidence& e, std::string_view metric) {
  const auto value = FindMetric(metric)->value(e.stats, e.extra);
  return value ? value->AsDouble() : HUGE_VAL;
}

std::string Times(double margin) { return RoundedText(margin, 3) + "x"; }

// --- Facts that need no floor.

Answer OneSided(const Evidence& e) {
  const PairStats& s = e.stats;
  if (s.one_sided_at == PairStats::kNowhere) return std::nullopt;
  return Judgement{.verdict = Verdict::kFail,
                   .why = fmt::format(
                       "NaN/Inf differ: golden has {} NaN and {} Inf, target "
                       "{} NaN and {} Inf",
                       s.nan_golden, s.inf_golden, s.nan_target, s.inf_target),
                   .floor = Floor{.level = "exact"}};
}

// Equal, but no evidence that anything works.
Answer Trivial(const Evidence& e) {
  const PairStats& s = e.stats;
  const auto trivial = [](std::string why) {
    return Judgement{.verdict = Verdict::kTrivial, .why = std::move(why)};
  };
  if (s.count == 0) return trivial("both sides are empty");
  if (s.nan_golden == s.count) return trivial("NaN everywhere on both sides");
  if (s.used == 0) return trivial("no finite number on either side");
  if (!AllEqual(s) || !GoldenConstant(s)) return std::nullopt;
  if (GoldenZero(s)) return trivial("all zero on both sides");
  if (s.count > 1) return trivial("the same constant everywhere");
  return std::nullopt;
}

// --- Levels, best first.

Answer Exact(const Evidence& e) {
  if (e.golden != DType::kBool || e.target != DType::kBool) return std::nullopt;
  const PairStats& s = e.stats;
  if (AllEqual(s)) {
    return Judgement{Verdict::kPass, "equal", Floor{.level = "exact"}};
  }
  return Judgement{
      Verdict::kFail,
      fmt::format("{} of {} booleans differ", s.count - s.equal, s.count),
      Floor{.level = "exact"}};
}

Judgement CheckLimit(const Evidence& e, const FailOn& rule) {
  const auto value = rule.metric->value(e.stats, e.extra);
  const Floor floor = {.level = "threshold",
                       .metric = std::string(rule.metric->name),
                       .value = rule.limit};
  if (!value) {
    return {Verdict::kFail,
            fmt::format("{} has no value here: {}", rule.metric->name,
                        UndefinedReason(e.stats)),
            floor};
  }
  const double x = value->AsDouble();
  const bool fails = rule.Holds(x);
  return {fails ? Verdict::kFail : Verdict::kPass,
          fails ? fmt::format("{}: it is {}", rule.text, RoundedText(x))
                : fmt::format("{} {} is within the threshold",
                              rule.metric->name, RoundedText(x)),
          floor};
}

Judgement CheckTolerances(const Evidence& e) {
  const PairStats& s = e.stats;
  const uint64_t off = s.used - s.close;
  return {off == 0 ? Verdict::kPass : Verdict::kFail,
          off == 0 ? "all elements within atol and rtol"
                   : fmt::format("{} of {} elements are outside atol and rtol",
                                 off, s.used),
          Floor{.level = "threshold", .metric = "allclose", .value = 1.0}};
}

Answer Threshold(const Evidence& e, const JudgeOptions& options) {
  Answer answer;
  if (options.tolerances) answer = CheckTolerances(e);
  for (const FailOn& rule : options.fail_on) {
    if (answer && answer->verdict == Verdict::kFail) break;
    answer = CheckLimit(e, rule);
  }
  return answer;
}

Answer Measured(const Evidence& e, const JudgeOptions& options) {
  if (!e.noise || !(*e.noise > 0) || !std::isfinite(*e.noise)) {
    return std::nullopt;  // a zero floor falls back to the type level
  }
  const double floor = *e.noise * options.noise_factor;
  const double rel = Value(e, "rel_l2");
  const bool pass = rel <= floor;
  return Judgement{
      pass ? Verdict::kPass : Verdict::kFail,
      fmt::format("rel_l2 {} is {} {} times the trusted run's {}",
                  RoundedText(rel), pass ? "within" : "more than",
                  RoundedText(options.noise_factor), RoundedText(*e.noise)),
      Floor{"measured", "rel_l2", floor, rel / floor}};
}

// --- The type level: what rounding to the coarsest type in sight explains.

struct TypeFloor {
  Rounding rounding;
  double rel_l2 = 0;   // largest explained |d| / |g|
  double max_abs = 0;  // largest explained element error
};

// The explained error as a part of the values.
double ExplainedPart(const Rounding& rounding) {
  return std::min(kRoundoffs * rounding.roundoff, kMostExplained);
}

TypeFloor MakeTypeFloor(const Evidence& e) {
  const PairStats& s = e.stats;
  TypeFloor floor{.rounding = CoarsestRounding(e.golden, e.target, s)};
  const double n = static_cast<double>(s.used);
  const double norm = std::sqrt(s.SumSquaresGolden());
  const double peak =
      std::max(std::fabs(Number(s.min_golden, s.golden_kind).AsDouble()),
               std::fabs(Number(s.max_golden, s.golden_kind).AsDouble()));
  const double spread =
      norm / std::sqrt(n) * std::sqrt(2 * std::log(std::max(n, 2.0)));
  const double part = ExplainedPart(floor.rounding);
  floor.rel_l2 = part;
  if (norm > 0) floor.rel_l2 += std::sqrt(n) * floor.rounding.tiny / norm;
  floor.max_abs = part * std::max(spread, peak) + floor.rounding.tiny;
  return floor;
}

Floor Report(const TypeFloor& floor, double rel, double max_abs) {
  const double by_norm = floor.rel_l2 > 0 ? rel / floor.rel_l2 : HUGE_VAL;
  const double by_max = floor.max_abs > 0 ? max_abs / floor.max_abs : HUGE_VAL;
  if (by_max > by_norm) return {"type", "max_abs", floor.max_abs, by_max};
  return {"type", "rel_l2", floor.rel_l2, by_norm};
}

// Little is left of the error once the factor is taken out.
bool IsPure(const Evidence& e, double ratio) {
  const double rest = std::sqrt(2 * Value(e, "cosine_distance"));
  return kPureScale * rest <= std::fabs(ratio - 1);
}

// Not the error of a few elements that outweigh all others.
bool IsCommon(const Evidence& e, double ratio) {
  const PairStats& s = e.stats;
  const double low = Number(s.min_golden, s.golden_kind).AsDouble();
  const double high = Number(s.max_golden, s.golden_kind).AsDouble();
  const double peak = std::max(low * low, high * high);
  return peak <= kLargestShare * s.SumSquaresGolden() &&
         Value(e, "mean_rel") >= kScaleShare * std::fabs(ratio - 1);
}

// What no rounding can do.
std::optional<std::string> Impossible(const Evidence& e,
                                      const TypeFloor& floor) {
  const PairStats& s = e.stats;
  if (s.used >= kEnoughForConstant && GoldenConstant(s) != TargetConstant(s)) {
    return fmt::format("{} is constant, {} is not",
                       GoldenConstant(s) ? "golden" : "target",
                       GoldenConstant(s) ? "target" : "golden");
  }
  if (s.used >= kEnoughForConstant && GoldenZero(s) != TargetZero(s)) {
    return fmt::format("{} is all zero, {} is not",
                       GoldenZero(s) ? "golden" : "target",
                       GoldenZero(s) ? "target" : "golden");
  }
  const double part = ExplainedPart(floor.rounding);
  const double ratio = Value(e, "norm_ratio");
  if (part > 0 && s.used >= kEnoughForScale && std::fabs(ratio - 1) > part &&
      Value(e, "cosine_distance") <= part * part && IsPure(e, ratio) &&
      IsCommon(e, ratio)) {
    return fmt::format("pure scale: target is {} times golden",
                       RoundedText(ratio, 6));
  }
  return std::nullopt;
}

Judgement Integers(const Evidence& e) {
  const PairStats& s = e.stats;
  if (AllEqual(s)) return {Verdict::kPass, "equal", Floor{.level = "type"}};
  const double max_abs = Number(s.max_abs, s.diff_kind).AsDouble();
  return {Verdict::kUnsure,
          fmt::format("{} of {} integers differ, by up to {}",
                      s.count - s.equal, s.count, RoundedText(max_abs, 17)),
          Floor{"type", "max_abs", kIntegerStep, max_abs / kIntegerStep}};
}

bool IsWhole(DType type) {
  const DKind kind = Info(type).kind;
  return kind == DKind::kInteger || kind == DKind::kBool;
}

// The step of a side that holds only multiples of it; 0 if none does, or both.
double StepOf(const Evidence& e) {
  const auto is_integer = [](DType type) {
    return Info(type).kind == DKind::kInteger;
  };
  if (e.step > 0) return e.step;
  const bool one = is_integer(e.golden) != is_integer(e.target) &&
                   IsWhole(e.golden) != IsWhole(e.target);
  return one ? 1 : 0;
}

// Such a side rounds by half a step.
Answer HalfStep(const Evidence& e) {
  const double step = StepOf(e);
  if (step == 0) return std::nullopt;
  const PairStats& s = e.stats;
  const double max_abs = Number(s.max_abs, s.diff_kind).AsDouble();
  const double half = kIntegerStep * step;
  if (AllEqual(s) || !(max_abs <= half * (1 + kStepSlack))) {
    return std::nullopt;
  }
  return Judgement{Verdict::kPass,
                   step == 1
                       ? "rounding to whole numbers explains it"
                       : fmt::format("rounding to steps of {} explains it",
                                     RoundedText(step)),
                   Floor{"type", "max_abs", half, max_abs / half}};
}

Judgement ByType(const Evidence& e) {
  if (IsWhole(e.golden) && IsWhole(e.target)) return Integers(e);
  if (Answer answer = HalfStep(e)) return *answer;
  const TypeFloor floor = MakeTypeFloor(e);
  const PairStats& s = e.stats;
  const double rel = Value(e, "rel_l2");
  const double max_abs = Number(s.max_abs, s.diff_kind).AsDouble();
  const Floor report = Report(floor, rel, max_abs);
  const std::string_view type = Name(floor.rounding.type);
  if (AllEqual(s)) return {Verdict::kPass, "equal", report};
  if (rel <= floor.rel_l2 && max_abs <= floor.max_abs) {
    return {
        Verdict::kPass,
        fmt::format("rounding to {}{} explains it", type,
                    floor.rounding.seen_in_bits ? " (seen in the bits)" : ""),
        report};
  }
  if (max_abs <= floor.rounding.tiny) {
    return {Verdict::kPass,
            fmt::format("below the smallest {} number",
                        Name(floor.rounding.tiny_type)),
            report};
  }
  if (auto why = Impossible(e, floor)) {
    return {Verdict::kFail, std::move(*why), report};
  }
  if (!std::isfinite(*report.margin)) {
    const bool zero = GoldenConstant(s) &&
                      Number(s.min_golden, s.golden_kind).AsDouble() == 0;
    return {Verdict::kUnsure,
            zero ? "golden is zero everywhere, target is not"
                 : "the error cannot be measured: " + UndefinedReason(s),
            report};
  }
  return {Verdict::kUnsure,
          fmt::format("{} {} is {} what rounding to {} explains", report.metric,
                      RoundedText(report.metric == "rel_l2" ? rel : max_abs),
                      Times(*report.margin), type),
          report};
}

Judgement ByBestLevel(const Evidence& e, const JudgeOptions& options) {
  if (Answer answer = OneSided(e)) return *answer;
  if (Answer answer = Trivial(e)) return *answer;
  if (Answer answer = Exact(e)) return *answer;
  if (Answer answer = Threshold(e, options)) return *answer;
  if (Answer answer = Measured(e, options)) return *answer;
  return ByType(e);
}

}  // namespace

Judgement Judge(const Evidence& e, const JudgeOptions& options) {
  Judgement out = ByBestLevel(e, options);
  const PairStats& s = e.stats;
  const bool shared = s.one_sided_at == PairStats::kNowhere && s.used > 0;
  if (shared && s.nan_golden > 0) {
    out.why +=
        fmt::format("; {} NaN at the same places on both sides", s.nan_golden);
  }
  return out;
}

}  // namespace assay
