// The command `cp` of precision_tool, with its default limits. Both sides are
// float32 and flat; the shorter one is followed by zeros.
#include "legacy/precision_tool_metrics.h"

#include <cmath>

#include "legacy/chunks.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

using Chunk = ChunkPair<float>;

struct Sums {
  float product = 0, my = 0, golden = 0;
  uint64_t close = 0, wrong = 0;
};

ASSAY_WIDE void AddProducts(const Chunk& c, Sums& sums) {
  const float *m = c.my, *g = c.golden;
  sums.product += ChunkSum<float>([&](size_t i) { return m[i] * g[i]; }, c.n);
  sums.my += ChunkSum<float>([&](size_t i) { return m[i] * m[i]; }, c.n);
  sums.golden += ChunkSum<float>([&](size_t i) { return g[i] * g[i]; }, c.n);
}

// AllClose is decided in float32, the share of errors with a limit in double:
// an element may be close and wrong.
ASSAY_WIDE void AddCounts(const Chunk& c, const CpLimits& limits, Sums& sums) {
  const auto absolute = static_cast<float>(limits.absolute);
  const auto relative = static_cast<float>(limits.relative);
  uint64_t close = 0, wrong = 0;
  for (size_t i = 0; i < c.n; ++i) {
    const float m = c.my[i], g = c.golden[i];
    const float difference = std::fabs(m - g);
    const bool finite = m - m == 0 && g - g == 0;
    close +=
        m == g || (finite && difference <= absolute + relative * std::fabs(g))
            ? 1
            : 0;
    wrong += limits.Exceeds(difference, g) ? 1 : 0;
  }
  sums.close += close;
  sums.wrong += wrong;
}

Result<Cells> CellsOf(const MetricPair& pair) { return CpCells(pair.job, {}); }

}  // namespace

Result<Cells> CpCells(const MeasureJob& job, const CpLimits& limits) {
  ASSIGN_OR_RETURN(const PairChunks chunks, PairChunks::Open(job));
  const uint64_t n = std::max(chunks.my_count(), chunks.golden_count());
  Sums s;
  RETURN_IF_ERROR(chunks.ForEach<float>(n, [&](const Chunk& c) {
    AddProducts(c, s);
    AddCounts(c, limits, s);
  }));
  const float cosine = s.product / (std::sqrt(s.my) * std::sqrt(s.golden));
  return Cells{{"NumCnt", std::to_string(n)},
               {"AllClose", BoolText(s.close == n)},
               {"CosSim", Float32Text(cosine)},
               {"ErrorPer", ReprText(static_cast<double>(s.wrong) /
                                     static_cast<double>(n))}};
}

extern constinit const MetricGroup kPrecisionToolGroup = {
    .name = "precision_tool",
    .summary = "precision_tool's cp, with limits of 0.001",
    .cells = CellsOf,
};

}  // namespace assay
