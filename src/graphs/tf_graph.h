#pragma once

#include "base/field_reader.h"
#include "base/result.h"
#include "core/graph.h"

namespace assay::tf {

// Reads a GraphDef, or the one inside a MetaGraphDef or a SavedModel; the
// functions of its library become parts.
Result<Graph> ReadGraph(FieldReader& in);

// "conv/Relu", "split:1", "^init", and "while/add:z:0" inside functions. An
// edge that is order only has index -1.
GraphEdge ParseEdge(std::string_view text, NamePool& names);

}  // namespace assay::tf
