#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "graphs/onnx_model.h"

namespace assay::onnx {

// The nodes of the main graph in an order in which they can run: the file's
// own if it is one. An error names a node that waits for itself or for a
// tensor that nothing makes.
Result<std::vector<uint32_t>> RunOrder(const Model& model);

// All tensors a node needs: its inputs, and what its subgraphs take from around
// them. No empty names.
std::vector<NameId> NeedsOf(const Model& model, const Node& node);

// "Conv 'p2o.Conv.0'", or by what it makes if it has no name.
std::string NodeText(const Model& model, const Node& node);

}  // namespace assay::onnx
