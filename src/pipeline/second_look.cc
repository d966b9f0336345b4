#include "pipeline/second_look.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

#include "judge/constants.h"
#include "judge/type_floor.h"

namespace assay {
namespace {

constexpr size_t kMostRows = 32;
constexpr size_t kMostOthers = 4;     // other tensors per row
constexpr size_t kMostAxes = 4;       // 23 orders
constexpr double kNear = 0.02;        // of norms, before values are read
constexpr size_t kLeastElements = 8;  // fewer are equal by accident
// Orders are many and each reads the tensor: drift is not worth it, and a
// tensor of this size neither.
constexpr double kLeastDisorder = 0.05;
constexpr uint64_t kMostElements = 1 << 26;

// One guess: the values of `job` are the same.
struct Guess {
  size_t row = 0;  // into owners
  MeasureJob job;
  Likeness likeness;
};

bool Near(double a, double b, double size) {
  return std::fabs(a - b) <= kNear * size;
}

double Real(RawNumber raw, NumberKind kind) {
  return Number(raw, kind).AsDouble();
}

// The golden values of one pair may be the target values of another.
bool MayBe(const PairStats& golden, const PairStats& target) {
  if (golden.count != target.count || golden.used == 0) return false;
  const double low = Real(golden.min_golden, golden.golden_kind);
  const double high = Real(golden.max_golden, golden.golden_kind);
  const double size = std::max(std::fabs(low), std::fabs(high));
  const double squares = golden.SumSquaresGolden();
  return Near(squares, target.SumSquaresTarget(), squares) &&
         Near(high, Real(target.max_target, target.target_kind), size) &&
         Near(low, Real(target.min_target, target.target_kind), size);
}

// Where each element of golden stands if the target keeps the dimensions in
// this order.
std::vector<int64_t> StridesOf(const Shape& shape,
                               const std::vector<size_t>& order) {
  std::vector<int64_t> strides(shape.size(), 0);
  int64_t stride = 1;
  for (size_t k = order.size(); k-- > 0;) {
    strides[order[k]] = stride;
    stride *= shape[order[k]];
  }
  return strides;
}

void GuessOrders(size_t row, const Planned& p, const PairStats& s,
                 std::vector<Guess>& out) {
  const Shape& shape = p.job->golden.shape;
  std::vector<size_t> axes;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] > 1) axes.push_back(k);
  }
  const bool plain = !p.job->target.map && p.job->target.parts.size() == 1;
  const auto distance = FindMetric("rel_l2")->value(s, {});
  if (!distance || distance->AsDouble() < kLeastDisorder ||
      s.count > kMostElements) {
    return;
  }
  if (!plain || axes.size() < 2 || axes.size() > kMostAxes || !MayBe(s, s) ||
      IsComplex(p.job->golden.dtype())) {
    return;
  }
  std::vector<size_t> order = axes;
  while (std::next_permutation(order.begin(), order.end())) {
    Guess guess{row, *p.job, {.kind = "transposed"}};
    guess.job.target.shape = shape;
    guess.job.target.map = StridedMap(shape, StridesOf(shape, order), s.count);
    guess.likeness.other = fmt::format("[{}]", fmt::join(order, ","));
    out.push_back(std::move(guess));
  }
}

// Rows of the same tensor at other steps, or of the same operator.
using Key = std::tuple<std::string_view, std::string_view, std::string_view,
                       std::string_view, int64_t, int64_t, int64_t>;

Key KeyOf(const Row& r, std::optional<int64_t> last) {
  return {r.op,   r.port,           r.graph, r.phase, r.rank.value_or(-1),
          r.call, last.value_or(-1)};
}
Key OperatorKey(const Row& r) { return KeyOf(r, r.step); }
Key TensorKey(const Row& r) { return KeyOf(r, r.index); }

using Places = std::vector<std::pair<Key, size_t>>;  // sorted

Places MakePlaces(std::span<Planned* const> owners, Key (*key)(const Row&)) {
  Places places;
  for (size_t i = 0; i < owners.size(); ++i) {
    places.emplace_back(key(owners[i]->row), i);
  }
  std::sort(places.begin(), places.end());
  return places;
}

std::span<const std::pair<Key, size_t>> RowsAt(const Places& places,
                                               const Key& key) {
  const auto less = [](const auto& a, const auto& b) {
    return a.first < b.first;
  };
  const auto [first, last] = std::equal_range(places.begin(), places.end(),
                                              std::pair(key, size_t{0}), less);
  return {first, last};
}

class Guesser {
 public:
  Guesser(std::span<Planned* const> owners, std::span<const Measured> measured)
      : owners_(owners),
        measured_(measured),
        operators_(MakePlaces(owners, OperatorKey)),
        tensors_(MakePlaces(owners, TensorKey)) {}

  std::vector<Guess> Make(size_t row) const {
    std::vector<Guess> out;
    GuessOutputs(row, out);
    GuessSteps(row, out);
    GuessOrders(row, *owners_[row], measured_[row].stats, out);
    return out;
  }

 private:
  bool Usable(size_t i) const {
    return owners_[i]->job && !owners_[i]->BySummary() && measured_[i].done &&
           !measured_[i].error;
  }

  void Add(size_t row, size_t other, Likeness likeness,
           std::vector<Guess>& out) const {
    if (other == row || !Usable(other) ||
        !MayBe(measured_[other].stats, measured_[row].stats) ||
        IsComplex(owners_[row]->job->target.dtype()) !=
            IsComplex(owners_[other]->job->golden.dtype())) {
      return;
    }
    MeasureJob job{owners_[other]->job->golden, owners_[row]->job->target};
    out.push_back({row, std::move(job), std::move(likeness)});
  }

  void GuessOutputs(size_t row, std::vector<Guess>& out) const {
    const Row& mine = owners_[row]->row;
    if (mine.port != "output") return;
    for (const auto& [key, other] : RowsAt(operators_, OperatorKey(mine))) {
      if (out.size() >= kMostOthers) return;
      const Row& theirs = owners_[other]->row;
      if (theirs.index == mine.index) continue;
      Add(row, other, {.kind = "output", .other = theirs.name}, out);
    }
  }

  void GuessSteps(size_t row, std::vector<Guess>& out) const {
    const Row& mine = owners_[row]->row;
    if (!mine.step) return;
    const size_t before = out.size();
    for (const auto& [key, other] : RowsAt(tensors_, TensorKey(mine))) {
      if (out.size() - before >= kMostOthers) return;
      const Row& theirs = owners_[other]->row;
      if (!theirs.step || theirs.step == mine.step) continue;
      Add(row, other,
          {.kind = "step", .other = fmt::format("{}", *theirs.step)}, out);
    }
  }

  std::span<Planned* const> owners_;
  std::span<const Measured> measured_;
  Places operators_, tensors_;
};

bool IsWanted(const Planned& p, const Measured& m) {
  const bool bad =
      p.row.verdict == Verdict::kFail || p.row.verdict == Verdict::kUnsure;
  return bad && p.row.cause != Cause::kInherited && !p.BySummary() && m.done &&
         !m.error && m.stats.count >= kLeastElements;
}

// The worst first: what cannot be explained, then what is furthest off.
std::vector<size_t> WorstRows(std::span<Planned* const> owners,
                              std::span<const Measured> measured) {
  std::vector<size_t> rows;
  for (size_t i = 0; i < owners.size(); ++i) {
    if (IsWanted(*owners[i], measured[i])) rows.push_back(i);
  }
  const auto badness = [&](size_t i) {
    const Row& row = owners[i]->row;
    const bool known = row.floor && row.floor->margin;
    return std::tuple(row.cause != Cause::kOrigin,
                      row.verdict != Verdict::kFail,
                      known ? -*row.floor->margin : 0.0, i);
  };
  std::sort(rows.begin(), rows.end(),
            [&](size_t a, size_t b) { return badness(a) < badness(b); });
  if (rows.size() > kMostRows) rows.resize(kMostRows);
  return rows;
}

// Nothing but rounding is left, and most of the error is gone.
bool Holds(const Guess& guess, const Measured& now, const Measured& before) {
  const Metric& rel_l2 = *FindMetric("rel_l2");
  const auto rel = rel_l2.value(now.stats, {});
  const auto old = rel_l2.value(before.stats, {});
  if (!now.done || now.error || !rel) return false;
  const double roundoff = CoarsestRounding(guess.job.golden.dtype(),
                                           guess.job.target.dtype(), now.stats)
                              .roundoff;
  const double left = rel->AsDouble();
  return now.stats.one_sided_at == PairStats::kNowhere &&
         left <= std::min(kRoundoffs * roundoff, kMostExplained) &&
         (!old || left * kJump <= old->AsDouble());
}

}  // namespace

void LookAgain(std::span<Planned* const> owners,
               std::span<const Measured> measured,
               const MeasureOptions& options, const std::atomic<bool>& stop) {
  const std::vector<size_t> rows = WorstRows(owners, measured);
  if (rows.empty()) return;
  const Guesser guesser(owners, measured);
  std::vector<Guess> guesses;
  for (const size_t row : rows) {
    for (Guess& guess : guesser.Make(row)) guesses.push_back(std::move(guess));
  }
  std::vector<MeasureJob> jobs;
  for (const Guess& guess : guesses) jobs.push_back(guess.job);
  MeasureOptions plain = options;
  plain.extras = {};
  Progress progress("", 0, Progress::Unit::kBytes, false);
  const std::vector<Measured> results = Measure(jobs, plain, progress, stop);
  for (size_t i = 0; i < guesses.size(); ++i) {
    Guess& guess = guesses[i];
    Row& row = owners[guess.row]->row;
    if (row.likeness || !Holds(guess, results[i], measured[guess.row])) {
      continue;
    }
    guess.likeness.rel_l2 =
        FindMetric("rel_l2")->value(results[i].stats, {})->AsDouble();
    row.likeness = std::make_shared<const Likeness>(std::move(guess.likeness));
  }
}

}  // namespace assay
