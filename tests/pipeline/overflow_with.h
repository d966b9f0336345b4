#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "arrays.h"
#include "pipeline/overflow.h"
#include "pipeline/overflow_bytes.h"
#include "temp_tree.h"

namespace assay {

inline OverflowOptions OverflowsOf(const std::string& path, int threads = 2) {
  OverflowOptions options{.path = path};
  options.open.threads = threads;
  options.measure.threads = threads;
  options.measure.kernels = AvailableKernels().front();
  return options;
}

inline Result<OverflowReport> TryOverflows(const OverflowOptions& options,
                                           bool stopped = false) {
  const std::atomic<bool> stop = stopped;
  return FindOverflows(
      options, [](const std::string&) {}, stop);
}

inline OverflowReport MustFind(const std::string& path, int threads = 2) {
  auto report = TryOverflows(OverflowsOf(path, threads));
  EXPECT_TRUE(report) << report.error().Text();
  return report ? *std::move(report) : OverflowReport();
}

// A dump of one float output.
inline std::string FloatDump(const std::vector<float>& values) {
  const std::string bytes = BytesOf(values);
  return Dump2(Output(1, {values.size()}, bytes.size())) + bytes;
}

}  // namespace assay
