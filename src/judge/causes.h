#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/comparison.h"
#include "core/dtype.h"
#include "core/pair_stats.h"

namespace assay {

// What one row tells about the error of its tensor, whatever metrics were
// asked for.
struct TensorFacts {
  bool measured = false;
  bool equal = false;      // every element
  bool one_sided = false;  // NaN/Inf that the other side lacks
  bool whole = false;      // integers or booleans on both sides
  double rel_l2 = 0;
  double max_part = 0;   // max_abs as a part of what elements are like
  double element = 1;    // that: the size of a large element
  double scale = 0;      // |norm ratio - 1|
  double rms = 0;        // of golden
  double roundoff = 0;   // of the coarsest type in sight
  uint64_t content = 0;  // the same for the same pair of tensors
};
TensorFacts FactsOf(const PairStats& stats, DType golden, DType target);

// The rows that tell how good a row's ingredients are. For an output: the
// inputs of its operator; for an input: the output that it is.
struct Ingredients {
  std::vector<uint32_t> rows;
  bool is_input = false;
  // False: there are ingredients that were not compared.
  bool complete = true;
  // Operators between that were not compared themselves.
  std::vector<std::string> through;
};

// Tells for every bad row whether its operator makes the error or passes it
// on, and says so in `why`. May turn `unsure` into `fail`, never back. All
// three lists are parallel, in the order of the report. Returns the operators
// that make errors, each once, the best proven first.
std::vector<std::string> FindCauses(std::span<Row* const> rows,
                                    std::span<const TensorFacts> facts,
                                    std::span<const Ingredients> ingredients);

}  // namespace assay
