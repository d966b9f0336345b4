#include "legacy/msprobe_result.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>

namespace assay {
namespace {

// Operations whose results mean nothing, or are not computed.
constexpr std::string_view kIgnored[] = {
    "empty",     "empty_like",        "numpy",
    "to",        "__setitem__",       "empty_with_format",
    "new_empty", "new_empty_strided", "empty_strided"};
// They change their inputs.
constexpr std::string_view kInputsIgnored[] = {
    "_reduce_scatter_base", "_all_gather_base", "all_to_all_single",
    "batch_isend_irecv"};

// "linear" of "Functional.linear.0.forward".
std::string_view OperationOf(std::string_view api) {
  const size_t dot = api.find('.');
  if (dot == api.npos) return api;
  api.remove_prefix(dot + 1);
  return api.substr(0, api.find('.'));
}

bool IsOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

std::optional<double> NumberOf(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end == text.c_str()) return std::nullopt;
  return *end == '%' ? value / 100 : value;  // relative errors are percent
}

bool IsFinite(const std::string& text) {
  const auto value = NumberOf(text);
  return value && std::isfinite(*value);
}

void Raise(const char* result, ProbeRow& row) {
  if (row.result != "error") row.result = result;
}

bool Overflows(const ProbeRow& row) {
  const auto broken = [](const std::string& npu, const std::string& bench) {
    return NumberOf(npu) && !IsFinite(npu) && IsFinite(bench);
  };
  return broken(row.npu_max, row.bench_max) ||
         broken(row.npu_min, row.bench_min);
}

// Inputs against outputs of one API.
class Api {
 public:
  explicit Api(std::span<ProbeRow> rows) : rows_(rows) {}

  void Decide() {
    for (ProbeRow& row : rows_) {
      const bool other = row.types_differ || row.shapes_differ ||
                         row.grads_differ || row.hashes_differ;
      if (Overflows(row) || other) Raise("error", row);
      if (row.hash_missing) Raise("warning", row);
    }
    if (IsOneOf(OperationOf(rows_.front().api), kInputsIgnored)) return;
    DecideByRatio();
    DecideByCosine();
    DecideByNorm();
  }

 private:
  using Field = std::string ProbeRow::*;

  template <typename Pick>
  std::optional<double> Extreme(Field field, bool outputs,
                                const Pick& pick) const {
    std::optional<double> extreme;
    for (const ProbeRow& row : rows_) {
      const auto value = NumberOf(row.*field);
      if (row.is_output != outputs || !value || std::isnan(*value)) continue;
      extreme = extreme ? pick(*extreme, *value) : *value;
    }
    return extreme;
  }
  std::optional<double> Least(Field field, bool outputs) const {
    return Extreme(field, outputs,
                   [](double a, double b) { return std::min(a, b); });
  }
  std::optional<double> Largest(Field field, bool outputs) const {
    return Extreme(field, outputs,
                   [](double a, double b) { return std::max(a, b); });
  }

  void DecideByRatio() {
    const auto in = Least(&ProbeRow::thousandth, false);
    const auto out = Least(&ProbeRow::thousandth, true);
    if (!in || !out || !(*in > 0.9 && *out < 0.1)) return;
    for (ProbeRow& row : rows_) {
      if (row.is_output) Raise("error", row);
    }
  }

  // Only the first output that falls behind is marked.
  void DecideByCosine() {
    const auto in = Least(&ProbeRow::cosine, false);
    if (!in || !(*in > 0.9)) return;
    for (ProbeRow& row : rows_) {
      const auto out = NumberOf(row.cosine);
      if (!row.is_output || !out || !(*in - *out > 0.1)) continue;
      return Raise("warning", row);
    }
  }

  void DecideByNorm() {
    const auto in = Largest(&ProbeRow::norm_relative, false);
    if (!in) return;
    for (ProbeRow& row : rows_) {
      const auto out = NumberOf(row.norm_relative);
      if (!row.is_output || !out) continue;
      if (*in < 0.1 && *out > 0.5) Raise("error", row);
      if (*in == 0 ? *out > 0.1 : *out > 10 * *in) Raise("warning", row);
    }
  }

  std::span<ProbeRow> rows_;
};

}  // namespace

void DecideResults(std::vector<ProbeRow>& rows) {
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin + 1;
    while (end < rows.size() && rows[end].api == rows[begin].api) ++end;
    if (!IsOneOf(OperationOf(rows[begin].api), kIgnored)) {
      Api(std::span(rows).subspan(begin, end - begin)).Decide();
    }
    begin = end;
  }
}

}  // namespace assay
