#include <gtest/gtest.h>

#include "core/metrics.h"

namespace assay {
namespace {

TEST(MetricValues, RememberWhatWasAsked) {
  MetricValues values;
  EXPECT_TRUE(values.empty());
  values.Set(*FindMetric("rel_l2"), 0.5);
  values.Set(*FindMetric("max_rel"), std::nullopt);
  values.Set(*FindMetric("count"), Number({.uint = 7}, NumberKind::kUnsigned));
  EXPECT_EQ(values.Get("rel_l2"), 0.5);
  EXPECT_EQ(values.Get("count"), 7);
  EXPECT_EQ(values.Get("max_rel"), std::nullopt);
  EXPECT_EQ(values.Get("cosine"), std::nullopt);
  EXPECT_TRUE(values.Has("max_rel"));
  EXPECT_FALSE(values.Has("cosine"));
  std::string seen;
  for (const auto& [name, value] : values.entries()) {
    seen += std::string(name) + (value ? "+ " : "- ");
  }
  EXPECT_EQ(seen, "rel_l2+ max_rel- count+ ");
}

}  // namespace
}  // namespace assay
