#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/dump.h"
#include "core/shape.h"

namespace assay {

// Where a nan or an infinity comes up.
struct NonFinite {
  std::string op, type;
  std::string tensor, file, dtype;
  std::string placed;            // the tensor, with rank and step
  int32_t rank = -1, step = -1;  // -1: not known
  Shape shape;                   // device layouts unpacked
  std::optional<Shape> index;    // none: the dump has only statistics of it
  double value = 0;
  std::vector<double> before, after;  // neighbours in row-major order
  std::string why;
};

struct NonFiniteSearch {
  // The first operator, in the order of execution, that makes such a value of
  // finite inputs. If there is none, the first with one in an output; if there
  // is none of these either, with one in an input.
  std::optional<NonFinite> first;
  bool in_output = false;  // `first` is about more than an input
  // An operator before `first` that already got one from outside.
  std::optional<NonFinite> seen;

  std::string order;  // what the order of execution was read from
  uint64_t operators = 0;
  std::vector<Error> errors;  // tensors that could not be read
  bool finished = true;       // false: interrupted
};

struct SearchOptions {
  int threads = 1;
  bool show_progress = false;
};

// Reads no further than needed. The answer does not depend on the number of
// threads.
NonFiniteSearch FindFirstNonFinite(const Dump& dump,
                                   const SearchOptions& options,
                                   const std::atomic<bool>& stop);

}  // namespace assay
