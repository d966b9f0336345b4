#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "legacy/metric_group.h"
#include "metric_pairs.h"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

std::map<std::string, std::string> CellsOf(const char* group,
                                           const OpenedPair& pair) {
  auto cells = FindMetricGroup(group)->cells(
      {.job = pair.job, .my_file = "my.npy", .golden_file = "golden.npy"});
  EXPECT_TRUE(cells);
  return cells
             ? std::map<std::string, std::string>(cells->begin(), cells->end())
             : std::map<std::string, std::string>();
}

// Numbers agree to `relative`, or to `absolute`; other texts are equal.
struct Tolerance2 {
  double relative, absolute;
};

void ExpectText(const std::string& got, const std::string& wanted,
                const Tolerance2& tolerance) {
  if (got == wanted) return;
  char* end = nullptr;
  const double g = std::strtod(got.c_str(), &end);
  ASSERT_TRUE(end != got.c_str() && *end == 0) << got << " for " << wanted;
  const double w = std::strtod(wanted.c_str(), &end);
  ASSERT_TRUE(end != wanted.c_str() && *end == 0) << got << " for " << wanted;
  if (g == w) return;
  EXPECT_NEAR(g, w,
              std::max(tolerance.absolute, tolerance.relative * std::fabs(w)))
      << got << " for " << wanted;
}

std::string TextOf(const Json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value["value"].get<std::string>();
}

TEST(MsitGroup, EqualsTheOriginal) {
  const auto expected = ExpectedMetrics();
  for (const auto& [name, all] : expected.items()) {
    SCOPED_TRACE(name);
    if (!all["msit_llm"].contains("row")) continue;  // the original raises
    const Json& row = all["msit_llm"]["row"];
    const auto cells = CellsOf("msit", *OpenMetricPair(name));
    EXPECT_EQ(cells.size(), row.size());
    for (const auto& [key, value] : row.items()) {
      SCOPED_TRACE(key);
      // Sums in float32: where terms nearly cancel, what is left is the
      // rounding of torch's own vector routines.
      const bool cancels =
          key == "kl_divergence" || key.ends_with("mean_value");
      ExpectText(cells.count(key) ? cells.at(key) : "missing", TextOf(value),
                 {1e-5, cancels ? 2e-6 : 0});
    }
  }
}

TEST(MsprobeGroup, EqualsTheOriginal) {
  const auto expected = ExpectedMetrics();
  for (const auto& [name, all] : expected.items()) {
    SCOPED_TRACE(name);
    const auto cells = CellsOf("msprobe", *OpenMetricPair(name));
    for (const auto& [key, value] : all["msprobe"]["metrics"].items()) {
      SCOPED_TRACE(key);
      ExpectText(cells.at(key), TextOf(value), {1e-12, 0});
    }
    EXPECT_EQ(cells.at("message"), TextOf(all["msprobe"]["err_message"]));
    EXPECT_EQ(cells.at("Accuracy Reached or Not"),
              TextOf(all["msprobe"]["accuracy_reached"]));
  }
}

TEST(PrecisionToolGroup, EqualsTheOriginal) {
  const auto expected = ExpectedMetrics();
  for (const auto& [name, all] : expected.items()) {
    SCOPED_TRACE(name);
    const Json& wanted = all["precision_tool_cp"];
    if (wanted.contains("exception")) continue;
    const auto cells = CellsOf("precision_tool", *OpenMetricPair(name));
    for (const char* key : {"NumCnt", "AllClose", "CosSim", "ErrorPer"}) {
      SCOPED_TRACE(key);
      ExpectText(cells.at(key), TextOf(wanted[key]), {2e-6, 3e-6});
    }
  }
}

TEST(TecoGroup, EqualsTheOriginal) {
  const auto expected = ExpectedMetrics();
  for (const auto& [name, all] : expected.items()) {
    SCOPED_TRACE(name);
    const auto pair = OpenMetricPair(name);
    const auto cells = CellsOf("teco", *pair);
    const bool as_loaded = pair->job.golden.dtype() == DType::kF64 ||
                           pair->job.golden.dtype() == DType::kF32;
    const Json& wanted = all["teco"][as_loaded ? "raw" : "float32"];
    if (cells.count("message")) {
      if (!wanted["diff1"].contains("exception")) continue;  // it broadcasts
      EXPECT_EQ(cells.at("message"), TextOf(wanted["diff1"]["message"]));
      continue;
    }
    for (const char* key : {"diff1", "mae", "mape", "diff_acc"}) {
      SCOPED_TRACE(key);
      ExpectText(cells.at(key), TextOf(wanted[key]), {1e-6, 0});
    }
  }
}

}  // namespace
}  // namespace assay
