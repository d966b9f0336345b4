// Two runs of one ONNX model: one runtime called its tensors by node, the other
// by tensor. The graph has given both the same operators before this.
#include <fmt/format.h>

#include "pairing/onnx_quantised.h"
#include "pairing/pair_by_names.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  const Graph* graph = target.GraphOfKind("onnx");
  if (graph == nullptr) graph = golden.GraphOfKind("onnx");
  if (graph == nullptr || !options.map_file.empty()) return "";
  return fmt::format("{} knows the nodes and the tensors of both sides",
                     graph->file);
}

// A side without a model is known by the other's.
Result<Pairing> PairOnnx(const Dump& golden, const Dump& target,
                         const PairOptions& options) {
  ASSIGN_OR_RETURN(Pairing pairing, PairByNames(golden, target, options));
  PairQuantised(
      {golden, target, golden.GraphOfKind("onnx"), target.GraphOfKind("onnx")},
      pairing);
  return pairing;
}

}  // namespace

extern constinit const Strategy kOnnxNames = {
    .name = "onnx-names",
    .summary = "two runs of one ONNX model, by node or by tensor name",
    .fits = Fits,
    .pair = PairOnnx,
};

}  // namespace assay
