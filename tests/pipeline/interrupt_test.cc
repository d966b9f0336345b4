// After `stop` the result holds what was finished, and says what was not.
#include <gtest/gtest.h>

#include "pipeline/compare_with.h"

namespace assay {
namespace {

TEST(Interrupt, BeforeAnythingIsMeasured) {
  Pair2 pair;
  pair.Both("a.npy", Npy(Random(9))).Both("b.npy", Npy(Random(9)));
  pair.Golden("c.npy", Npy(Random(9))).Both("cut.npy", "\x93NUMPY");
  std::atomic<bool> stop = false;
  const auto talk = [&](const std::string& line) {
    if (line.starts_with("pairing:")) stop = true;
  };
  for (const std::string& noise : {std::string(), pair.options().golden}) {
    CompareOptions options = pair.options();
    options.noise = noise;
    stop = false;
    const auto c = Compare(options, talk, stop);
    ASSERT_TRUE(c);
    ExpectConsistent(*c);
    EXPECT_EQ(c->exit, 130);
    EXPECT_EQ(c->verdict, Verdict::kError);
    EXPECT_EQ(VerdictOf(*c, "a"), "skipped");
    EXPECT_EQ(FindRow(*c, "a")->why, "interrupted before it was measured");
    EXPECT_EQ(VerdictOf(*c, "cut"), "error");
    EXPECT_EQ(c->golden_coverage.skipped, 2u);
    EXPECT_EQ(c->unpaired.size(), 1u);
  }
}

}  // namespace
}  // namespace assay
