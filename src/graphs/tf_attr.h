#pragma once

#include <vector>

#include "base/field_reader.h"
#include "base/result.h"
#include "core/graph.h"

namespace assay::tf {

// What attributes tell of a node's outputs.
struct NodeTypes {
  NameId dtype = kNoName;
  std::vector<Shape> shapes;  // _output_shapes, or the one of a constant

  std::vector<GraphTensor> Outputs() const;
};

// Reads what is between { and } of a node's attr.
Status ReadAttr(FieldReader& in, NamePool& names, Operator& op,
                NodeTypes& types);

}  // namespace assay::tf
