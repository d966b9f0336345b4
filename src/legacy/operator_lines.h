#pragma once

#include "legacy/panel.h"
#include "legacy/precision_tool.h"
#include "pipeline/graph_index.h"

namespace assay {

// Operators in the words of precision_tool.

// "[Conv2D][['PassA', 'PassB']] conv1", or "[Conv2D] conv1" of old.
std::string OperatorLine(const Graph& graph, const Operator& op,
                         PromptLabels labels);
// What the graph says of one operator: identity, inputs, outputs.
TextLines OperatorPanelLines(const Graph& graph, const GraphIndex& index,
                             uint32_t number, bool all);

// "[1, 3, 8, 8]", as Python prints a list of numbers.
std::string DimensionsText(const Shape& shape);

}  // namespace assay
