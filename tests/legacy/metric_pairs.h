#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/measure.h"
#include "sources/source.h"
#include "test_paths.h"

namespace assay {

inline std::string MetricData(const std::string& name) {
  return TestData("metrics/") + name;
}

// What the original tools answered about every pair.
inline nlohmann::ordered_json ExpectedMetrics() {
  std::ifstream in(MetricData("expected.json"));
  return nlohmann::ordered_json::parse(in);
}

// Two arrays as a pair to measure.
struct OpenedPair {
  Dump my, golden;
  MeasureJob job;
};

inline StoredView WholeView(const Dump& dump, const std::string& path) {
  return PlainView(path, dump.tensors.at(0).stored);
}

inline std::unique_ptr<OpenedPair> OpenPair(const std::string& my,
                                            const std::string& golden) {
  auto m = OpenSource(my, {});
  auto g = OpenSource(golden, {});
  if (!m || !g) {
    ADD_FAILURE() << "cannot open " << my;
    return nullptr;
  }
  auto pair =
      std::make_unique<OpenedPair>(OpenedPair{*std::move(m), *std::move(g)});
  pair->job = {WholeView(pair->golden, golden), WholeView(pair->my, my)};
  return pair;
}

inline std::unique_ptr<OpenedPair> OpenMetricPair(const std::string& name) {
  return OpenPair(MetricData("pairs/" + name + ".my.npy"),
                  MetricData("pairs/" + name + ".golden.npy"));
}

}  // namespace assay
