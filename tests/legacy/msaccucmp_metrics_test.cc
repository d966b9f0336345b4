#include "legacy/msaccucmp_metrics.h"

#include <gtest/gtest.h>

#include "metric_pairs.h"

namespace assay {
namespace {

MsaccucmpAnswer Ask(const OpenedPair& pair, const std::string& name,
                    uint64_t first = 0) {
  auto answer = AskMsaccucmp(pair.job, {.first = first,
                                        .my_file = name + ".my.npy",
                                        .golden_file = name + ".golden.npy"});
  EXPECT_TRUE(answer) << name;
  return answer ? *std::move(answer) : MsaccucmpAnswer{};
}

// Cells as text; a sum over many elements may differ in its last digit.
void ExpectCell(const std::string& got, const std::string& wanted, bool many) {
  if (got == wanted) return;
  ASSERT_TRUE(many) << got << " is not " << wanted;
  ASSERT_EQ(got.size(), wanted.size());
  EXPECT_NEAR(std::stod(got), std::stod(wanted), 1.01e-6);
}

void ExpectCells(const MsaccucmpAnswer& answer,
                 const nlohmann::ordered_json& wanted, bool many) {
  size_t i = 0;
  for (const auto& [name, text] : wanted.items()) {
    SCOPED_TRACE(name);
    ExpectCell(answer.cells[i++].value, text.get<std::string>(), many);
  }
}

TEST(MsaccucmpMetrics, EqualTheOriginals) {
  const auto expected = ExpectedMetrics();
  for (const auto& [name, both] : expected.items()) {
    SCOPED_TRACE(name);
    const auto& wanted = both["msaccucmp"];
    const auto pair = OpenMetricPair(name);
    const MsaccucmpAnswer all = Ask(*pair, name);
    if (wanted.contains("error")) {
      EXPECT_EQ(all.Reason(), wanted["error"]["message"].get<std::string>());
      continue;
    }
    ExpectCells(all, wanted["metrics"],
                ElementCount(pair->job.golden.shape) > 1000);
    ExpectCells(Ask(*pair, name, 5), wanted["metrics_max_cmp_size_5"], false);
    std::vector<std::string> messages;
    for (const auto& cell : all.cells) {
      if (!cell.message.empty()) messages.push_back(cell.message);
    }
    EXPECT_EQ(messages, wanted["messages"].get<std::vector<std::string>>());
    EXPECT_EQ(all.overflow, wanted.value("fp16_overflow_column", "NaN"));
  }
}

}  // namespace
}  // namespace assay
