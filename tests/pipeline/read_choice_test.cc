#include "pipeline/read_choice.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

constexpr uint64_t kLarge = 16 << 20;

struct Rates {
  uint64_t read, map;  // nanoseconds an item
};

// How many of `items` are mapped.
int Mapped(ReadChoice& choice, int items, const Rates& rates) {
  int mapped = 0;
  for (int i = 0; i < items; ++i) {
    const ReadMode mode = choice.Pick(kLarge);
    const bool map = mode == ReadMode::kMap;
    choice.Report(mode, kLarge, map ? rates.map : rates.read);
    mapped += map ? 1 : 0;
  }
  return mapped;
}

TEST(ReadChoice, ReadsWhatIsSmall) {
  ReadChoice choice(1);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(choice.Pick(1000), ReadMode::kRead);
}

TEST(ReadChoice, FollowsTheFasterAndAsksAgain) {
  const struct {
    Rates rates;
    int mapped;  // of 32 items after the trials
  } kRows[] = {{{100, 200}, 2}, {{200, 100}, 30}, {{100, 100}, 2}};
  for (const auto& row : kRows) {
    ReadChoice choice(1);
    Mapped(choice, 8, row.rates);
    EXPECT_EQ(Mapped(choice, 32, row.rates), row.mapped) << row.rates.map;
  }
}

TEST(ReadChoice, TheFirstItemsOfEachThreadDoNotCount) {
  ReadChoice choice(2);
  Mapped(choice, 4, {.read = 1, .map = 10000});
  Mapped(choice, 6, {.read = 200, .map = 100});
  EXPECT_EQ(Mapped(choice, 5, {.read = 200, .map = 100}), 5);
}

TEST(ReadChoice, TrialsThatMisledArePutRight) {
  ReadChoice choice(1);
  Mapped(choice, 8, {.read = 50, .map = 100});
  EXPECT_LE(Mapped(choice, 16, {.read = 200, .map = 100}), 14);
  EXPECT_EQ(Mapped(choice, 32, {.read = 200, .map = 100}), 30);
}

}  // namespace
}  // namespace assay
