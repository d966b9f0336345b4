#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/input_file.h"
#include "base/result.h"
#include "core/graph.h"

namespace assay {

// One kind of graph file.
struct GraphKind {
  std::string_view name;
  std::string_view summary;
  // Whether a file of this name that begins like this is one of mine.
  bool (*sniff)(std::string_view file_name, std::string_view head);
  Result<Graph> (*read)(InputFile& file);
  // Edges go by the names of tensors; operators may share theirs.
  bool shared_names = false;
};

// In the order of asking.
std::span<const GraphKind* const> AllGraphKinds();

// Reads a graph file of any kind, whatever its name. One with faults is a graph
// too: it can be looked at.
Result<Graph> OpenGraph(const std::string& path);

// Whether the name alone says that a file is a graph: "ge_proto_00000012_
// graph_1_Build.txt", "dynamo_original_graph_1.txt", "model.om".
bool HasGraphName(std::string_view file_name);
// Whether it is a graph by its name, or JSON with a graph in it.
bool IsGraphFile(const std::string& path);

}  // namespace assay
