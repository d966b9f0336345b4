#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pairing/dumps.h"

namespace assay {

// A tensor of a TorchAir dump: "op.in0", with "@step" and "#rank" if not 0.
struct TorchairTensor {
  std::string op, type = "";
  Port port = Port::kOutput;
  int32_t index = 0;
  std::string graph = "graph_1";
  int32_t rank = -1, step = 0, call = 0;
  Shape shape = {2, 3};
  DType dtype = DType::kF32;
};

inline Dump MakeTorchair(std::string kind,
                         const std::vector<TorchairTensor>& tensors) {
  Dump dump{.kind = std::move(kind)};
  for (const TorchairTensor& made : tensors) {
    const std::string port(made.port == Port::kInput ? "in" : "out");
    std::string name = made.op + "." + port + std::to_string(made.index);
    if (made.port == Port::kNone) name = made.op;
    if (made.step > 0) name += "@" + std::to_string(made.step);
    if (made.rank > 0) name += "#" + std::to_string(made.rank);
    if (made.graph != "graph_1") name += "/" + made.graph;
    TensorInfo& t = dump.tensors.emplace_back();
    t.file = static_cast<uint32_t>(dump.files.size());
    dump.files.push_back(name);
    t.name = dump.names.Intern(name);
    t.id = {.op = dump.names.Intern(made.op),
            .type = dump.names.Intern(made.type),
            .graph = dump.names.Intern(made.graph),
            .port = made.port,
            .index = made.index,
            .rank = made.rank,
            .step = made.step,
            .call = made.call};
    t.stored.shape = made.shape;
    t.stored.dtype = made.dtype;
    if (made.port == Port::kNone) {
      t.stored.error = std::make_shared<const Error>(Corrupt("cut off"));
    }
  }
  return dump;
}

// Inputs 0.. and outputs 0.. of one operator.
inline std::vector<TorchairTensor> Op(const TorchairTensor& like, int inputs,
                                      int outputs) {
  std::vector<TorchairTensor> out;
  for (int i = 0; i < inputs; ++i) {
    out.push_back(like);
    out.back().port = Port::kInput;
    out.back().index = i;
  }
  for (int i = 0; i < outputs; ++i) {
    out.push_back(like);
    out.back().index = i;
  }
  return out;
}

inline std::vector<TorchairTensor> Together(
    const std::vector<std::vector<TorchairTensor>>& lists) {
  std::vector<TorchairTensor> all;
  for (const auto& list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

// An operator of a graph: its producers "Mul_1:0" and a tag per output, "" for
// none.
struct MadeOperator {
  std::string name;
  std::vector<std::string> inputs, tags;
};

inline std::shared_ptr<const Graph> MakeGraph(
    const std::vector<MadeOperator>& operators,
    std::string file = "dynamo_original_graph_1.txt",
    std::string_view name = "graph_1") {
  Graph graph;
  graph.file = std::move(file);
  graph.name = graph.names.Intern(name);
  for (const MadeOperator& made : operators) {
    Operator& op = graph.operators.emplace_back();
    op.name = graph.names.Intern(made.name);
    for (const std::string& input : made.inputs) {
      op.inputs.push_back(
          {graph.names.Intern(input.substr(0, input.find(':'))), 0});
    }
    for (const std::string& tag : made.tags) {
      op.output_tensors.emplace_back().fx = graph.names.Intern(tag);
    }
  }
  graph.Finish();
  return std::make_shared<const Graph>(std::move(graph));
}

// The pairs without their reasons, then what is left with its reason.
inline std::string Short(const Dump& golden, const Dump& target,
                         const PairOptions& options = {}) {
  std::string text;
  for (std::string line : Told(golden, target, options)) {
    if (line[0] != '-' && line[0] != '+') line.resize(line.rfind(" ("));
    text += (text.empty() ? "" : "; ") + line;
  }
  return text;
}

}  // namespace assay
