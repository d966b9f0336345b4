// Values whose squares are below float64's range: no norm, and no wrong number.
#include <gtest/gtest.h>

#include "core/metrics.h"

namespace assay {
namespace {

TEST(Metrics, HaveNoValueWhereSquaresUnderflow) {
  PairStats s;
  s.count = s.used = 2;
  s.golden.mean = 1e-200;
  s.target.mean = -1e-200;
  s.min_golden.real = s.max_golden.real = 1e-200;
  s.min_target.real = s.max_target.real = -1e-200;
  s.max_abs.real = 2e-200;
  s.sum_abs = 4e-200;
  s.sum_rel = 4;
  s.max_rel = 2;
  for (const char* name : {"rel_l2", "cosine", "cosine_distance", "rmse",
                           "snr_db", "psnr_db", "norm_ratio", "l2_golden"}) {
    EXPECT_FALSE(FindMetric(name)->value(s, {})) << name;
  }
  EXPECT_EQ(FindMetric("mean_rel")->value(s, {})->AsDouble(), 2);
  EXPECT_EQ(UndefinedReason(s), "a sum of squares underflows float64");
}

}  // namespace
}  // namespace assay
