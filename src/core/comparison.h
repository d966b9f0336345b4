#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/graph_outline.h"
#include "core/metrics.h"
#include "core/number.h"
#include "core/shape.h"
#include "core/spread.h"

namespace assay {

enum class Verdict : uint8_t {
  kPass,
  kFail,
  kUnsure,
  kTrivial,
  kSkipped,
  kError
};
inline constexpr size_t kVerdicts = 6;
enum class Cause : uint8_t { kNone, kOrigin, kInherited, kUnknown };

std::string_view Name(Verdict verdict);
std::string_view Name(Cause cause);  // "" for kNone

enum class Side : uint8_t { kGolden, kTarget };
std::string_view Name(Side side);

// One stored tensor of a row, as reports show it.
struct Operand {
  std::string file;    // relative to the source's root
  std::string tensor;  // inside the file
  std::string dtype;
  Shape shape;
  std::string layout;
};

// The error that is explained, and how far the row is from it.
struct Floor {
  std::string level;   // design: exact, threshold, measured, type
  std::string metric;  // empty: no number, as for `exact`
  std::optional<double> value;
  std::optional<double> margin;  // measured metric / value
};

struct Element {
  Shape index;
  Number golden, target;
};

// One row under the lens: made for the worst rows only.
struct RowDetail {
  Spread spread;
  std::vector<Element> absolute, relative;  // the worst, worst first
};

// What the target's values are equal to, where it is not their partner.
struct Likeness {
  std::string kind;   // "transposed", "output", "step"
  std::string other;  // the row, or the order of dimensions
  double rel_l2 = 0;  // against that
};

// A weight of the row's operator that the target's type cannot hold.
struct LargeWeight {
  std::string name;
  double largest = 0;  // magnitude; infinite where the model has that already
  std::string dtype;   // what the target computes in
  double limit = 0;    // its largest number
};

// What an old tool would print for a row: its names, its texts.
struct LegacyCells {
  std::string tool;  // "msaccucmp"
  std::vector<std::pair<std::string, std::string>> cells;
};

// One compared pair. Self-contained: a row read back from a run file is the
// same row.
struct Row {
  uint64_t number = 0;
  std::string name, op, type, port, graph, phase = "forward";
  std::string order_from = "none";
  std::optional<int64_t> index, rank, step, order;
  int64_t call = 0;
  std::vector<Operand> golden, target;
  std::string strategy, why_paired;
  std::vector<std::string> steps;
  std::string evidence = "full";

  Verdict verdict = Verdict::kSkipped;
  Cause cause = Cause::kNone;
  std::string why;
  std::optional<Floor> floor;
  MetricValues metrics;  // empty when nothing was measured
  std::vector<Element> worst;
  std::shared_ptr<const Likeness> likeness;   // most rows have none
  std::shared_ptr<const LargeWeight> weight;  // most rows have none
  std::shared_ptr<const RowDetail> detail;    // most rows have none
  std::shared_ptr<const std::vector<LegacyCells>> legacy;  // if asked for
  ErrorRef error;                                          // of an error row
};

struct UnpairedTensor {
  Side side = Side::kGolden;
  std::string name, file, status = "unpaired", why;
};

struct SideCoverage {
  uint64_t total = 0, compared = 0, unpaired = 0, skipped = 0, error = 0;
};

struct SourceLabel {
  std::string source, kind, graph;  // graph: empty when there is none
};

struct Finding {
  std::string rule;
  int rank = 0;
  std::string where, text, next;
  std::vector<std::pair<std::string, std::string>> evidence;
};

// How this run was made; the only part that may differ between repetitions.
struct RunInfo {
  std::string tool, started, simd;
  double seconds = 0;
  int threads = 0;
  std::vector<std::string> argv;
};

// The waist: input of every report, rule, shell command and web view.
struct Comparison {
  Verdict verdict = Verdict::kSkipped;
  int exit = 2;
  std::string why;  // what decided the exit code, where no row says it
  std::vector<std::string> origins;
  std::array<uint64_t, kVerdicts> counts{};
  SideCoverage golden_coverage, target_coverage;
  SourceLabel golden, target;
  std::optional<SourceLabel> noise;
  std::string strategy, why_strategy;
  std::vector<Row> rows;
  std::vector<UnpairedTensor> unpaired;
  std::vector<Finding> findings;
  std::shared_ptr<const GraphOutline> golden_graph, target_graph;  // or none
  RunInfo run;
};

}  // namespace assay
