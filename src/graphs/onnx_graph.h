#pragma once

#include "core/graph.h"
#include "graphs/onnx_model.h"

namespace assay::onnx {

// The graph of a model: initializers and inputs become operators of types
// Const and Data, so that every tensor has a maker.
Graph ToGraph(Model model);

// The attribute's value as a graph words it.
NameId AttributeText(const Attribute& attribute, NamePool& names);

}  // namespace assay::onnx
