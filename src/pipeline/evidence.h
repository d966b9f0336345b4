#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/dump.h"
#include "judge/causes.h"

namespace assay {

// Whose tensor a row is about, in the words of one side.
struct Place {
  std::string_view op, type, graph;
  Port port = Port::kNone;
  Phase phase = Phase::kForward;
  int32_t index = -1, rank = -1, step = -1, call = 0;
};
Place PlaceOf(const Dump& dump, const TensorInfo& tensor);

// For every wanted row the rows that its tensor was made from: the inputs of
// its operator where these were compared, else what the graphs of the dump say
// of its producers. The others stay empty. Lists are parallel to `places`.
std::vector<Ingredients> LinkRows(std::span<const Place> places,
                                  const std::vector<bool>& wanted,
                                  const Dump& dump);

// Inputs without a known producer: an output with the very same content is it.
void LinkByContent(std::span<const Place> places,
                   std::span<const TensorFacts> facts,
                   const std::vector<bool>& wanted,
                   std::span<Ingredients> ingredients);

}  // namespace assay
