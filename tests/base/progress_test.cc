#include "base/progress.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

using enum Progress::Unit;

std::string Bar(int full) {
  return "[" + std::string(static_cast<size_t>(full), '#') +
         std::string(static_cast<size_t>(24 - full), ' ') + "]";
}

TEST(Progress, SaysHowFarAndHowLong) {
  const struct {
    uint64_t done, total;
    Progress::Unit unit;
    double seconds;
    std::string line;
  } kRows[] = {
      {0, 100, kItems, 0, "x  " + Bar(0) + "   0 %  0/s"},
      {50, 100, kItems, 5, "x  " + Bar(12) + "  50 %  10/s  5 s left"},
      {99, 100, kItems, 1, "x  " + Bar(23) + "  99 %  99/s  0 s left"},
      {100, 100, kItems, 10, "x  " + Bar(24) + " 100 %  10/s  0 s left"},
      {150, 100, kItems, 10, "x  " + Bar(24) + " 100 %  15/s  0 s left"},
      {1ull << 30, 3ull << 30, kBytes, 2,
       "x  " + Bar(8) + "  33 %  512.0 MiB/s  4 s left"},
      {7, 0, kItems, 2, "x  7  4/s"},
      {4096, 0, kBytes, 2, "x  4096  2.0 KiB/s"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Progress::Line("x", row.done, row.total, row.unit, row.seconds),
              row.line);
  }
}

// Works that long under a bar and returns what it drew.
std::string Drawn(bool shown, int milliseconds) {
  testing::internal::CaptureStderr();
  {
    Progress progress("measuring", 10, kItems, shown);
    progress.Add(4);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }
  return testing::internal::GetCapturedStderr();
}

TEST(Progress, DrawsAndRemovesABar) {
  const std::string drawn = Drawn(true, 600);
  EXPECT_TRUE(drawn.starts_with("\rmeasuring  " + Bar(9) + "  40 %")) << drawn;
  EXPECT_TRUE(drawn.ends_with("\r\x1b[K")) << drawn;
}

TEST(Progress, StaysQuiet) {
  EXPECT_EQ(Drawn(false, 0), "");
  EXPECT_EQ(Drawn(true, 0), "");  // short work
}

}  // namespace
}  // namespace assay
