#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/names.h"
#include "core/quant_grid.h"
#include "core/shape.h"

namespace assay {

// One end of an edge: an output of an operator.
struct GraphEdge {
  NameId op = kNoName;  // kNoName: an input that is not connected
  int32_t index = 0;    // -1: order only, no data

  bool IsData() const { return op != kNoName && index >= 0; }
};

// An attribute as text: strings as they are, numbers in decimal, lists as
// [a,b], messages without anything set as "".
struct GraphAttr {
  NameId key = kNoName, value = kNoName;
};

// What a graph says of one tensor of an operator.
struct GraphTensor {
  NameId name = kNoName;    // its own, where tensors have names (ONNX)
  NameId dtype = kNoName;   // in the graph's words: "DT_FLOAT16", "FLOAT"
  NameId layout = kNoName;  // as stored: "NC1HWC0"
  Shape shape;              // as stored; -1: not known
  // The framework's tensor that this is; kNoName: none.
  NameId origin = kNoName;
  int32_t origin_index = -1;       // -1: not said
  NameId origin_layout = kNoName;  // kNoName: not said
  std::optional<Shape> origin_shape;
  // What its integers stand for, or the numbers that its floats were rounded
  // to; null: nothing is known.
  std::shared_ptr<const QuantGrid> grid;
  NameId fx = kNoName;  // TorchAir: "add_1-aten.add.Tensor.OUTPUT.0"
  bool has_attrs = false;
  std::vector<GraphAttr> attrs;
};

struct Operator {
  NameId name = kNoName, type = kNoName;
  uint32_t part = 0;  // into Graph::parts
  uint64_t at = 0;    // byte of the file where it stands
  int64_t id = 0;     // order of execution, where the compiler gave one
  int64_t stream = -1;
  // Unconnected inputs keep their place; order-only edges come last.
  std::vector<GraphEdge> inputs;
  std::vector<GraphTensor> input_tensors, output_tensors;
  // Framework operators it was made of. Nothing: it is the original itself;
  // empty: the compiler inserted it.
  std::optional<std::vector<NameId>> originals;
  std::vector<NameId> original_types;
  bool multi_op = false;  // one of several that replace several
  NameId l1 = kNoName;    // group of an L1 fusion
  std::vector<NameId> passes;
  NameId kernel = kNoName, kernel_library = kNoName;
  std::vector<NameId> subgraphs;
  int32_t parent_input = -1;  // of a subgraph's Data: which input of the caller
  std::vector<GraphAttr> attrs;
};

// A graph file: the root graph, then its subgraphs.
struct Graph {
  struct Part {
    NameId name = kNoName;
    std::vector<GraphEdge> outputs;
    std::vector<GraphAttr> attrs;
  };

  std::string file;  // as opened
  std::string kind;  // "ge-json"
  NamePool names;
  NameId name = kNoName;
  std::vector<GraphAttr> attrs;
  std::vector<Part> parts;
  std::vector<Operator> operators;  // part after part, in the file's order
  bool is_text = false;             // places in the file are lines
  std::vector<std::string> warnings;
  // What cannot be in a graph that runs, the first of each kind with its place:
  // kNotFound for an input that nothing makes, kCorrupt for the rest.
  std::vector<Error> faults;

  std::string_view Text(NameId id) const { return names[id]; }
  // The first of that name; null if there is none. Valid after Finish().
  const Operator* Find(std::string_view op) const;
  const Operator* Find(NameId op) const;
  // Value of an attribute as text; nothing if it is not there.
  std::optional<std::string_view> Attr(const std::vector<GraphAttr>& list,
                                       std::string_view key) const;
  // To be called once after the last operator.
  void Finish();

 private:
  std::unordered_map<NameId, uint32_t> by_name_;
};

}  // namespace assay
