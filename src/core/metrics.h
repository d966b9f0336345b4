#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/number.h"
#include "core/pair_stats.h"

namespace assay {

enum class Better : uint8_t { kSmaller, kLarger, kNeither };

enum class Pass : uint8_t {
  kFirst,  // from PairStats alone
  kExtra,  // from a declared second pass, run only if asked
};

// What the declared extra passes leave behind; no value: not run, undefined.
struct ExtraStats {
  std::optional<double> kl_minmax, kl_softmax;
  std::optional<double> diff1, diff3_max, diff3_mean;
  std::optional<double> greater_share, less_share;
};

// A formula over the statistics of one pair. No value: not defined for this
// pair; UndefinedReason says why.
struct Metric {
  std::string_view name;
  std::string_view formula;  // one line, for help and the reference page
  Better better;
  Pass pass;
  std::optional<Number> (*value)(const PairStats&, const ExtraStats&);
};

std::span<const Metric> AllMetrics();
const Metric* FindMetric(std::string_view name);
// The same; the error names the nearest.
Result<const Metric*> MetricNamed(std::string_view name);

// Why some metric of this pair has no value; empty when all have one.
std::string UndefinedReason(const PairStats& stats);

// The values of one row, in the order of AllMetrics(); missing: not asked for.
class MetricValues {
 public:
  struct Entry {
    std::string_view name;
    std::optional<Number> value;
  };

  void Reserve(size_t n) { packed_.reserve(n); }
  void Set(const Metric& metric, std::optional<Number> value);
  // Nothing if not asked for or not defined.
  std::optional<double> Get(std::string_view name) const;
  bool Has(std::string_view name) const;
  bool empty() const { return packed_.empty(); }

  std::vector<Entry> entries() const;

 private:
  // 16 bytes: a run has as many of these as rows times metrics.
  struct Packed {
    RawNumber raw;
    NumberKind kind;
    bool defined;
    uint8_t metric;  // into AllMetrics()

    std::optional<Number> Value() const {
      return defined ? std::optional(Number(raw, kind)) : std::nullopt;
    }
  };
  std::vector<Packed> packed_;
};

}  // namespace assay
