#pragma once

#include <string>
#include <vector>

#include "core/graph.h"

namespace assay {

// A graph in few words, for tests.
class TinyGraph {
 public:
  explicit TinyGraph(std::string_view name = "net") {
    graph_.parts.push_back({.name = graph_.names.Intern(name)});
  }

  struct Origin {
    std::string name;
    int32_t index = -1;
  };
  struct Op {
    std::string name, type = "Op";
    std::vector<std::string> inputs = {};  // "conv1:0"
    std::optional<std::vector<std::string>> originals = {};
    std::vector<Origin> outputs = {{""}};
    std::string dtype = "DT_FLOAT16";
    std::string l1{};
    bool multi_op = false;
  };

  TinyGraph& Add(const Op& op) {
    NamePool& names = graph_.names;
    Operator& out = graph_.operators.emplace_back();
    out.name = names.Intern(op.name);
    out.type = names.Intern(op.type);
    out.id = static_cast<int64_t>(graph_.operators.size()) - 1;
    out.l1 = names.Intern(op.l1);
    out.multi_op = op.multi_op;
    for (const std::string& input : op.inputs) {
      const size_t colon = input.rfind(':');
      out.inputs.push_back({names.Intern(input.substr(0, colon)),
                            std::stoi(input.substr(colon + 1))});
    }
    if (op.originals) {
      out.originals.emplace();
      for (const auto& o : *op.originals) {
        out.originals->push_back(names.Intern(o));
      }
    }
    for (const Origin& origin : op.outputs) {
      GraphTensor& t = out.output_tensors.emplace_back();
      t.has_attrs = true;
      t.origin = names.Intern(origin.name);
      t.origin_index = origin.index;
      t.dtype = names.Intern(op.dtype);
    }
    return *this;
  }

  Graph Done() {
    graph_.Finish();
    return std::move(graph_);
  }

 private:
  Graph graph_;
};

}  // namespace assay
