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
struct Nearness {
  double relative, absolute;
};

void ExpectText(const std::string& got, const std::string& wanted,
                const Nearness& near) {
  if (got == wanted) return;
  char* end = nullptr;
  const double g = std::strtod(got.c_str(), &end);
  ASSERT_TRUE(end != got.c_str() && *end == 0) << got << " for " << wanted;
  const double w = std::strtod(wanted.c_str(), &end);
  ASSERT_TRUE(end != wanted.c_str() && *end == 0) << got << " for " << wanted;
  if (g == w) return;
  EXPECT_NEAR(g, w, std::max(near.absolute, near.relative * std::fabs(w)))
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
      ExpectText(cells.contains(key) ? cells.at(key) : "missing", TextOf(value),
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

// "(0.5, 0.5, 16)" for the list of the three.
std::string TupleOf(const Json& list) {
  return "(" + TextOf(list[0]) + ", " + TextOf(list[1]) + ", " +
         TextOf(list[2]) + ")";
}

// "(1.5-2j)"
std::pair<double, double> PartsOf(const std::string& text) {
  char* end = nullptr;
  const double real = std::strtod(text.c_str() + 1, &end);
  return {real, std::strtod(end, nullptr)};
}

void ExpectComplex(const std::string& got, const std::string& wanted) {
  const auto [real, imaginary] = PartsOf(wanted);
  EXPECT_NEAR(PartsOf(got).first, real, 2e-7 * std::fabs(real)) << got;
  EXPECT_NEAR(PartsOf(got).second, imaginary, 2e-6 * std::fabs(imaginary));
  EXPECT_TRUE(got.starts_with('(') && got.ends_with("j)")) << got;
}

void ExpectTeco(const std::map<std::string, std::string>& cells,
                const Json& raw) {
  for (const char* key : {"diff1", "diff2_1", "mae", "mape", "diff_acc",
                          "diff3_max", "diff3_mean"}) {
    SCOPED_TRACE(key);
    const std::string name(key);
    const Json& wanted =
        raw[name.starts_with("diff3") ? name + "@1e-06" : name];
    if (wanted.contains("exception")) {
      EXPECT_EQ(cells.at(key), TextOf(wanted["message"]));
    } else if (wanted["type"] == "complex128") {
      ExpectComplex(cells.at(key), TextOf(wanted));
    } else {
      ExpectText(cells.at(key), TextOf(wanted), {2e-7, 0});
    }
  }
  EXPECT_EQ(cells.at("diff4"), TupleOf(raw["diff4"]));
}

TEST(TecoGroup, EqualsTheOriginal) {
  const auto expected = ExpectedMetrics();
  for (const auto& [name, all] : expected.items()) {
    SCOPED_TRACE(name);
    const Json& teco = all["teco"];
    const auto pair = OpenMetricPair(name);
    const auto cells = CellsOf("teco", *pair);
    if (cells.contains("message")) {
      EXPECT_EQ(cells.at("message"), TextOf(teco["raw"]["diff1"]["message"]));
      continue;
    }
    EXPECT_EQ(cells.at("nan_inf"), teco["nan_inf"] ? "True" : "False");
    EXPECT_EQ(cells.at("all_close"),
              teco["all_close_1e-06"] ? "True" : "False");
    const Json& single =
        teco.contains("float32") ? teco["float32"] : teco["raw"];
    ExpectText(cells.at("diff2"), TextOf(single["diff2"]), {1e-6, 0});
    ExpectTeco(cells, teco["raw"]);
  }
}

}  // namespace
}  // namespace assay
