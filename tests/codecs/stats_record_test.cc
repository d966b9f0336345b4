#include "codecs/stats_record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "codecs/temp_file.h"
#include "core/sketch.h"

namespace assay {
namespace {

StoredTensor Recorded() {
  TensorSummary summary{.min = -1.5,
                        .max = INFINITY,
                        .mean = NAN,
                        .l2 = 0.1,
                        .nan = 1,
                        .inf = 2,
                        .hash = "v1:00ff"};
  summary.sketch.assign(kSketchBins, 0.25);
  return {.name = "output:0",
          .dtype = DType::kF16,
          .shape = {2, 3},
          .summary = std::make_shared<const TensorSummary>(summary)};
}

TEST(StatsRecord, ReadsWhatItWrites) {
  const StoredTensor tensor = Recorded();
  const std::string text = StatsRecordText(std::span(&tensor, 1));
  const auto listing = ListBytes("_stats.json", text);
  ASSERT_TRUE(listing) << listing.error().Text();
  ASSERT_EQ(listing->tensors.size(), 1u);
  const StoredTensor& read = listing->tensors[0];
  EXPECT_EQ(read.name, "output:0");
  EXPECT_EQ(read.dtype, DType::kF16);
  EXPECT_EQ(read.shape, (Shape{2, 3}));
  const TensorSummary& s = *read.summary;
  EXPECT_EQ(s.min, -1.5);
  EXPECT_EQ(s.max, INFINITY);
  EXPECT_TRUE(std::isnan(s.mean.value()));
  EXPECT_EQ(s.std, std::nullopt);
  EXPECT_EQ(s.nan, 1u);
  EXPECT_EQ(s.hash, "v1:00ff");
  EXPECT_EQ(s.sketch, tensor.summary->sketch);
}

TEST(StatsRecord, SaysWhatIsWrong) {
  const struct {
    std::string text, error;
  } kRows[] = {
      {"{}", "it is no record of statistics ('assay.stats/1')"},
      {R"({"schema":"assay.stats/1","tensors":[{}]})",
       "a tensor has no 'name' or no 'dtype'"},
      {R"({"schema":"assay.stats/1","tensors":[{"name":"","dtype":"f3"}]})",
       "unknown type \"f3\""},
      {R"({"schema":"assay.stats/1","tensors":[{"name":"","dtype":"f32","shape":[-1]}]})",
       "a size is no number"},
      {R"({"schema":"assay.stats/1","tensors":[{"name":"","dtype":"f32","shape":[],"sketch":[1]}]})",
       "'sketch' is no list of 256 numbers"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ErrorOf("_stats.json", row.text), row.error);
  }
}

}  // namespace
}  // namespace assay
