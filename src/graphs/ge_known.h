#pragma once

#include "core/graph.h"
#include "graphs/ge_attr.h"

namespace assay {

// A tensor on its way into a Graph.
struct GeTensor {
  GraphTensor& tensor;
  NameId second_layout = kNoName;  // if it says no origin_layout
};

// Puts an attribute that comparing needs where core/graph.h has a place for
// it; others change nothing. attr.value is set.
void SetGeOperator(const GeAttr& attr, Operator& op);
void SetGeTensor(const GeAttr& attr, GeTensor& tensor);

// After the last attribute, when the name is known: the kernel.
void FinishGeOperator(const NamePool& names, Operator& op);

}  // namespace assay
