#include "reports/worst_first.h"

#include <gtest/gtest.h>

#include "reports/fixture.h"

namespace assay {
namespace {

std::vector<uint64_t> Order(const Comparison& c, std::string_view metric) {
  std::vector<uint64_t> numbers;
  for (const Row* row : WorstFirst(c, metric)) numbers.push_back(row->number);
  return numbers;
}

Comparison WithMetric(std::string_view name,
                      const std::vector<std::optional<double>>& values) {
  Comparison c;
  for (const std::optional<double> value : values) {
    Row row{.number = c.rows.size()};
    if (value) row.metrics.Set(*FindMetric(name), Number(*value));
    c.rows.push_back(row);
  }
  return c;
}

TEST(WorstFirst, OrdersByVerdictThenMargin) {
  const std::vector<uint64_t> expected = {9, 1, 5, 3, 2, 4, 6, 8, 7, 0};
  EXPECT_EQ(Order(Fixture(), ""), expected);
}

TEST(WorstFirst, OrdersByTheBadEndOfAMetric) {
  const std::vector<std::optional<double>> values = {
      0.5, std::nullopt, 0.9, std::nan(""), 0.5, -1.0};
  const struct {
    std::string_view metric;
    std::vector<uint64_t> order;
  } kRows[] = {
      {"rel_l2", {3, 2, 0, 4, 5, 1}},
      {"cosine", {3, 5, 0, 4, 2, 1}},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Order(WithMetric(row.metric, values), row.metric), row.order);
  }
}

}  // namespace
}  // namespace assay
