#include "judge/summary_specials.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>

namespace assay {
namespace {

using Stat = std::optional<double> TensorSummary::*;
using Known = std::optional<bool>;
bool IsNan(double x) { return std::isnan(x); }
bool IsInf(double x) { return std::isinf(x); }

// Whether some statistic is such; nothing if none of them tells.
Known SeenIn(const TensorSummary& s, std::initializer_list<Stat> stats,
             bool (*special)(double)) {
  Known seen;
  for (const Stat stat : stats) {
    const auto& value = s.*stat;
    if (!value || (std::isnan(*value) && special != IsNan)) continue;
    seen = seen.value_or(false) || special(*value);
  }
  return seen;
}

// Whether there are NaN: from their number, else from the statistics, which
// they show up in.
Known HasNan(const TensorSummary& s) {
  if (s.nan.value_or(0) > 0) return true;
  const Known seen =
      SeenIn(s,
             {&TensorSummary::min, &TensorSummary::max, &TensorSummary::mean,
              &TensorSummary::std, &TensorSummary::l2},
             IsNan);
  return seen || !s.nan ? seen : Known(false);
}

// The same of Inf. A mean or norm is infinite, too, where its sum overflowed.
Known HasInf(const TensorSummary& s) {
  if (s.inf.value_or(0) > 0) return true;
  Known seen = SeenIn(s, {&TensorSummary::min, &TensorSummary::max}, IsInf);
  if (!seen) {
    seen = SeenIn(s, {&TensorSummary::mean, &TensorSummary::l2}, IsInf);
  }
  return seen || !s.inf ? seen : Known(false);
}

// Whether the infinity of this sign is among the values: from their numbers;
// else, where the extremes take infinities in, the one of this side tells.
Known HasInf(const TensorSummary& s, Stat extreme, double infinity) {
  if (s.inf && s.negative_inf) {
    return (infinity < 0 ? *s.negative_inf : *s.inf - *s.negative_inf) > 0;
  }
  const auto& value = s.*extreme;
  if (!value || std::isnan(*value)) return std::nullopt;
  if (*value == infinity) return true;
  const bool taken_in =
      *SeenIn(s, {&TensorSummary::min, &TensorSummary::max}, IsInf);
  return taken_in || s.inf == 0 ? Known(false) : std::nullopt;
}

Known HasLow(const TensorSummary& s) {
  return HasInf(s, &TensorSummary::min, -HUGE_VAL);
}
Known HasHigh(const TensorSummary& s) {
  return HasInf(s, &TensorSummary::max, HUGE_VAL);
}

}  // namespace

bool MayHaveInf(const TensorSummary& s) { return HasInf(s).value_or(true); }

std::string OneSidedSpecial(const TensorSummary& g, const TensorSummary& t) {
  const struct {
    std::string_view name;
    Known golden, target;
  } kKinds[] = {{"NaN", HasNan(g), HasNan(t)},
                {"Inf", HasInf(g), HasInf(t)},
                {"Inf", HasHigh(g), HasHigh(t)},
                {"-Inf", HasLow(g), HasLow(t)}};
  for (const auto& kind : kKinds) {
    if (!kind.golden || !kind.target || kind.golden == kind.target) continue;
    return fmt::format("only {} has {}", *kind.golden ? "golden" : "target",
                       kind.name);
  }
  return "";
}

std::string SharedSpecials(const TensorSummary& g) {
  const bool nan = HasNan(g).value_or(false), inf = HasInf(g).value_or(false);
  if (!nan && !inf) return "";
  return fmt::format("both sides have {}, where is not known",
                     nan && inf ? "NaN and Inf"
                     : nan      ? "NaN"
                                : "Inf");
}

}  // namespace assay
