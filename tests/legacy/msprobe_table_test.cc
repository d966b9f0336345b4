#include <gtest/gtest.h>

#include <cstdlib>

#include "legacy/msprobe_result.h"
#include "legacy/msprobe_statistics.h"
#include "metric_pairs.h"

namespace assay {
namespace {

// Equal as text, or as numbers to the last bits: the original's way of reading
// them is not exact.
void ExpectNear(const std::string& got, const std::string& wanted) {
  if (got == wanted) return;
  const double number = std::strtod(wanted.c_str(), nullptr);
  ASSERT_NE(number, 0) << got << " for " << wanted;
  EXPECT_NEAR(std::strtod(got.c_str(), nullptr) / number, 1, 1e-12);
  EXPECT_EQ(got.back() == '%', wanted.back() == '%');
}

TEST(MsprobeStatistics, EqualTheOriginals) {
  std::ifstream in(MetricData("msprobe_statistics.json"));
  const auto rows = nlohmann::json::parse(in);
  ASSERT_EQ(rows.size(), 30u);
  for (const auto& row : rows) {
    const auto npu = row["npu"].get<std::string>();
    const auto bench = row["bench"].get<std::string>();
    const StatisticDifference got = CompareStatistic(npu, bench);
    SCOPED_TRACE(npu + " " + bench);
    ExpectNear(got.difference, row["diff"]);
    ExpectNear(got.relative, row["relative"]);
  }
}

ProbeRow Real(std::string api, bool output, std::string cosine,
              std::string ratio) {
  return {.api = std::move(api),
          .is_output = output,
          .npu_max = "1.0",
          .npu_min = "0.0",
          .bench_max = "1.0",
          .bench_min = "0.0",
          .cosine = std::move(cosine),
          .thousandth = std::move(ratio)};
}

std::vector<std::string> Decided(std::vector<ProbeRow> rows) {
  DecideResults(rows);
  std::vector<std::string> results;
  for (const ProbeRow& row : rows) results.push_back(row.result);
  return results;
}

using Results = std::vector<std::string>;

TEST(MsprobeResult, JudgesOutputsByInputs) {
  const std::string api = "Functional.linear.0.forward";
  EXPECT_EQ(
      Decided({Real(api, false, "1.0", "1.0"), Real(api, true, "1.0", "0.05")}),
      (Results{"pass", "error"}));
  EXPECT_EQ(
      Decided({Real(api, false, "1.0", "0.5"), Real(api, true, "0.8", "0.5"),
               Real(api, true, "0.7", "0.5")}),
      (Results{"pass", "warning", "pass"}));
  // Another API's inputs say nothing; who has none is judged as by good ones,
  // and only the first output is marked.
  EXPECT_EQ(Decided({Real(api, false, "0.1", "0.0"),
                     Real("Functional.relu.0.forward", true, "0.1", "0.0"),
                     Real("Functional.relu.0.forward", true, "0.1", "0.0")}),
            (Results{"pass", "error", "pass"}));
  EXPECT_EQ(Decided({Real("Torch.empty.0.forward", false, "1.0", "1.0"),
                     Real("Torch.empty.0.forward", true, "0.1", "0.0")}),
            (Results{"pass", "pass"}));
}

TEST(MsprobeResult, OverflowAndTypesAreErrors) {
  const std::string api = "Functional.linear.0.forward";
  ProbeRow overflow = Real(api, true, "N/A", "N/A");
  overflow.npu_max = "inf";
  ProbeRow type = Real(api, true, "1.0", "1.0");
  type.types_differ = true;
  EXPECT_EQ(Decided({overflow, type}), (Results{"error", "error"}));
  overflow.bench_min = "Nan";  // one broken statistic of the bench excuses all
  EXPECT_EQ(Decided({overflow}), (Results{"pass"}));
}

TEST(MsprobeResult, SaysWhy) {
  ProbeRow row = Real("Functional.linear.0.forward", false, "1.0", "1.0");
  row.grads_differ = row.scalars_differ = row.shapes_differ = true;
  std::vector<ProbeRow> rows = {row};
  DecideResults(rows);
  EXPECT_EQ(
      rows[0].messages,
      (Results{"error: The Required_Grad of NPU and Bench are inconsistent",
               "error: The scalar parameters of NPU and Bench are "
               "inconsistent.",
               "error: The shape of NPU and Bench are inconsistent."}));
}

TEST(MsprobeResult, JudgesByNorms) {
  const std::string api = "Functional.linear.0.forward";
  ProbeRow in = Real(api, false, "", ""), out = Real(api, true, "", "");
  in.norm_relative = "1.0%";
  out.norm_relative = "60.0%";
  EXPECT_EQ(Decided({in, out}), (Results{"pass", "error"}));
  out.norm_relative = "11.0%";
  EXPECT_EQ(Decided({in, out}), (Results{"pass", "warning"}));
  in.norm_relative = "0";
  out.norm_relative = "5.0%";
  EXPECT_EQ(Decided({in, out}), (Results{"pass", "pass"}));
}

}  // namespace
}  // namespace assay
