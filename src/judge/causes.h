#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/comparison.h"
#include "judge/tensor_facts.h"

namespace assay {

// The rows that tell how good a row's ingredients are. For an output: the
// inputs of its operator; for an input: the output that it is.
struct Ingredients {
  std::vector<uint32_t> rows;
  bool is_input = false;
  // False: there are ingredients that were not compared.
  bool complete = true;
  // A graph names all of them, although there may be no rows: the first
  // operators of a network are made from weights and the network's inputs.
  bool traced = false;
  // Operators and inputs of the network before it that were not compared.
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
