#include "app/compare_timed.h"

#include <fmt/chrono.h>

#include <chrono>

namespace assay {

Result<Comparison> CompareTimed(const CompareOptions& options,
                                const std::vector<std::string>& argv,
                                const Talk& talk,
                                const std::atomic<bool>& stop) {
  const auto started = std::chrono::system_clock::now();
  const auto clock = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(Comparison comparison, Compare(options, talk, stop));
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - clock;
  comparison.run = {
      .tool = "assay " ASSAY_VERSION,
      .started = fmt::format(
          "{:%Y-%m-%dT%H:%M:%SZ}",
          fmt::gmtime(std::chrono::system_clock::to_time_t(started))),
      .simd = std::string(options.measure.kernels->name),
      .seconds = seconds.count(),
      .threads = options.measure.threads,
      .argv = argv};
  return comparison;
}

}  // namespace assay
