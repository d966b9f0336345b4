#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "core/dump.h"

namespace assay {

// Loads the graphs that belong to a dump into it: the file or folder asked for,
// else those found beside it. `say` gets one line per choice.
Status ChooseGraphs(const std::string& asked, std::string_view side, Dump& dump,
                    const std::function<void(const std::string&)>& say);

// Whether a path is a folder of graphs; that of a SavedModel is one graph.
bool IsGraphFolder(const std::string& path);

// Of graph files those that show the graph as it runs, sorted, each once; all
// of them if none does.
std::vector<std::string> BuiltGraphs(std::vector<std::string> files);

// Calls the tensors by the operators' real names, and puts them in the order in
// which the graph runs them.
void NameByGraphs(Dump& dump);

// Arrays of a framework that a graph is to find: OPERATOR.INDEX.NUMBER is an
// output, though the number does not look like a time.
void NameAsOutputs(Dump& dump);

}  // namespace assay
