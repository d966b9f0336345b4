#pragma once

#include "graphs/graph_faults.h"
#include "graphs/graph_kind.h"
#include "memory_file.h"
#include "pipeline/graph_dot.h"
#include "pipeline/graph_groups.h"

namespace assay {

// Reads bytes as a graph of one kind and walks over what comes of it; stops
// the fuzzer if an error says nothing or a part is not there.
inline void ReadGraphBytes(std::string_view kind, const uint8_t* data,
                           size_t size) {
  const MemoryFile memory(data, size);
  auto file = InputFile::Open(memory.path());
  if (!file) abort();
  for (const GraphKind* known : AllGraphKinds()) {
    if (known->name != kind) continue;
    (void)known->sniff(
        "", std::string_view(reinterpret_cast<const char*>(data), size));
    auto graph = known->read(*file);
    if (!graph) {
      if (graph.error().what.empty() || graph.error().file.empty()) abort();
      return;
    }
    graph->Finish();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    FindGraphFaults({.text = graph->is_text ? text : std::string_view(),
                     .shared_names = known->shared_names},
                    *graph);
    for (const Operator& op : graph->operators) {
      if (op.part >= graph->parts.size()) abort();
    }
    (void)FindFusionGroups(*graph);
    const GraphIndex index(*graph);
    if (graph->operators.empty()) return;
    (void)DotText(*graph, FindNeighbours(*graph, index, 0, 3));
    return;
  }
  abort();  // no such kind
}

}  // namespace assay
