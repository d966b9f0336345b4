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

bool IsBroken(const std::string& text) {
  const auto value = NumberOf(text);
  return value && !std::isfinite(*value);
}

void Raise(const char* result, const char* message, ProbeRow& row) {
  if (row.result != "error") row.result = result;
  row.messages.push_back(std::string(result) + ": " + message);
}

bool Overflows(const ProbeRow& row) {
  if (IsBroken(row.bench_max) || IsBroken(row.bench_min)) return false;
  return IsBroken(row.npu_max) || IsBroken(row.npu_min);
}

// Inputs against outputs of one API, in the order of the original's rules.
class Api {
 public:
  explicit Api(std::span<ProbeRow> rows) : rows_(rows) {
    for (ProbeRow& row : rows_) {
      if (row.is_output && first_output_ == nullptr) first_output_ = &row;
      has_inputs_ = has_inputs_ || !row.is_output;
    }
    // Who has no inputs is not known by its name.
    const std::string_view name = OperationOf(rows_.front().api);
    ignored_ = has_inputs_ && IsOneOf(name, kIgnored);
    inputs_ignored_ =
        ignored_ || (has_inputs_ && IsOneOf(name, kInputsIgnored));
  }

  void Decide() {
    Each(Overflows, "error",
         "There is nan/inf/-inf in the maximum or minimum value of NPU.");
    DecideByNorm();
    DecideByRatio();
    DecideByFacts();
    DecideByGrowth();
    DecideByCosine();
    Each([](const ProbeRow& row) { return row.hashes_differ; }, "error",
         "The CRC-32 value of NPU differs from that of the bench.");
    Each([](const ProbeRow& row) { return row.hash_missing; }, "warning",
         "The parameter of NPU does not match the bench.");
  }

 private:
  using Field = std::string ProbeRow::*;

  template <typename Is>
  void Each(const Is& is, const char* result, const char* message) {
    if (ignored_) return;
    for (ProbeRow& row : rows_) {
      if (inputs_ignored_ && !row.is_output) continue;
      if (is(row)) Raise(result, message, row);
    }
  }

  void DecideByFacts() {
    Each([](const ProbeRow& row) { return row.grads_differ; }, "error",
         "The Required_Grad of NPU and Bench are inconsistent");
    Each([](const ProbeRow& row) { return row.scalars_differ; }, "error",
         "The scalar parameters of NPU and Bench are inconsistent.");
    Each([](const ProbeRow& row) { return row.types_differ; }, "error",
         "The dtype of NPU and Bench are inconsistent.");
    Each([](const ProbeRow& row) { return row.shapes_differ; }, "error",
         "The shape of NPU and Bench are inconsistent.");
  }

  // 1 if nothing is smaller.
  double Least(Field field, bool outputs) const {
    double least = 1;
    for (const ProbeRow& row : rows_) {
      const auto value = NumberOf(row.*field);
      if (row.is_output == outputs && value) least = std::min(least, *value);
    }
    return least;
  }

  // Of those in percent; 0 if there are none.
  double LargestNorm(bool outputs) const {
    double largest = 0;
    for (const ProbeRow& row : rows_) {
      if (row.is_output != outputs || !row.norm_relative.ends_with('%')) {
        continue;
      }
      largest = std::max(largest, NumberOf(row.norm_relative).value_or(0));
    }
    return largest;
  }

  void DecideByNorm() {
    if (inputs_ignored_ || !(LargestNorm(false) < 0.1)) return;
    for (ProbeRow& row : rows_) {
      const auto out = NumberOf(row.norm_relative);
      if (!row.is_output || !out || !(std::fabs(*out) > 0.5)) continue;
      Raise("error", "The NormRelativeErr of output is greater than 0.5.", row);
    }
  }

  void DecideByRatio() {
    if (inputs_ignored_ || first_output_ == nullptr) return;
    if (!(Least(&ProbeRow::thousandth, false) > 0.9)) return;
    if (!(Least(&ProbeRow::thousandth, true) < 0.1)) return;
    Raise("error",
          "The input/parameters of One Thousandth Err Ratio > 0.9 while the "
          "output < 0.6.",
          *first_output_);
  }

  void DecideByGrowth() {
    if (inputs_ignored_ || first_output_ == nullptr) return;
    const double in = LargestNorm(false), out = LargestNorm(true);
    if (!(in == 0 ? out > 0.1 : out / in > 10)) return;
    Raise("warning",
          "The norm relative error of output is 10 times that of input.",
          *first_output_);
  }

  void DecideByCosine() {
    if (inputs_ignored_ || first_output_ == nullptr) return;
    const double in = Least(&ProbeRow::cosine, false);
    if (!(in > 0.9 && in - Least(&ProbeRow::cosine, true) > 0.1)) return;
    Raise("warning",
          "The input/parameters of Cosine > 0.9, and input/parameters - output "
          "> 0.1",
          *first_output_);
  }

  std::span<ProbeRow> rows_;
  ProbeRow* first_output_ = nullptr;
  bool has_inputs_ = false, ignored_ = false, inputs_ignored_ = false;
};

}  // namespace

void DecideResults(std::vector<ProbeRow>& rows) {
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin + 1;
    while (end < rows.size() && rows[end].api == rows[begin].api) ++end;
    Api(std::span(rows).subspan(begin, end - begin)).Decide();
    begin = end;
  }
}

}  // namespace assay
