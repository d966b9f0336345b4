#pragma once

#include <string>
#include <vector>

#include "core/dump.h"
#include "core/pairing.h"
#include "core/stored_view.h"

namespace assay {

// A tensor as the framework sees it: device layouts unpacked, padding cut.
struct Seen {
  StoredView view;
  std::vector<std::string> steps;
};
Seen SeePlain(const Dump& dump, const TensorInfo& tensor);

// Both sides of a pair, brought to one form, and every step of the way.
struct Aligned {
  StoredView golden, target;
  double step = 0;  // between numbers that a quantised side can hold
  std::vector<std::string> steps;  // "target: unpack NC1HWC0 to NCHW"

  bool SameCount() const;
};
// `pair` tells what the pairing knows of the two.
Aligned Align(const Dump& golden, const TensorInfo& g, const Dump& target,
              const TensorInfo& t, const Pair& pair);

}  // namespace assay
