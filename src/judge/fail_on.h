#pragma once

#include <string>

#include "base/result.h"
#include "core/metrics.h"

namespace assay {

// --fail-on 'METRIC<NUMBER': the row fails when it is true.
struct FailOn {
  const Metric* metric = nullptr;
  enum Op : uint8_t { kLess, kLessEqual, kGreater, kGreaterEqual } op = kLess;
  double limit = 0;
  std::string text;

  static Result<FailOn> Parse(const std::string& text);
  bool Holds(double value) const;
};

}  // namespace assay
