#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "graphs/onnx_file.h"

namespace assay::onnx {

// An input whose dimensions are all known.
struct FixedInput {
  NameId name = kNoName;
  Shape shape;
};

// A model with these tensors as further outputs; those it has already stay as
// they are. A type that the file does not tell is left out. Inputs that are
// fixed get their shape: a runtime then knows that of more tensors.
std::string MarkOutputs(const OnnxFile& file, std::span<const NameId> names,
                        std::span<const FixedInput> fixed = {});

// What lies between tensors: `from` become inputs, `to` the only outputs.
// Empty: the model's own. Nodes, initializers and inputs that are not needed
// are left out.
struct Cut {
  std::vector<NameId> from, to;
};
Result<std::string> ExtractModel(const OnnxFile& file, const Cut& cut);

// The numbers of the nodes that a cut keeps, in the order of running.
Result<std::vector<uint32_t>> NodesOf(const OnnxFile& file, const Cut& cut);

// A tensor of the main graph by its name; the error names the nearest.
Result<NameId> FindTensor(const OnnxFile& file, std::string_view name);

}  // namespace assay::onnx
