#pragma once

#include <cstdint>
#include <string_view>

#include "base/field_reader.h"
#include "base/result.h"
#include "core/graph.h"
#include "graphs/ge_attr.h"
#include "graphs/name_cache.h"

namespace assay {

// What most operators take more than in a file: how much room is made for them.
inline constexpr uint64_t kGeOperatorBytes = 1024;

// Turns a shortened attribute back into what it was.
class GeAttrExpander {
 public:
  virtual ~GeAttrExpander() = default;
  virtual void Expand(GeAttr& attr, NameCache& names) = 0;
};

struct GeModelOptions {
  // Text attributes have C escapes beside those of the file.
  bool c_escapes = false;
  // Graphs whose name is already there are left out.
  bool only_new = false;
  GeAttrExpander* expander = nullptr;  // null: nothing is shortened
};

// Adds the graphs of a ModelDef, or of a GraphDef that stands alone. The first
// file that is added names the whole.
Status AddGeModel(FieldReader& in, const GeModelOptions& options, Graph& graph);

// "conv1:0" as an edge; "" is one that is not connected. Without an index that
// is a number, all of it is the name.
GraphEdge ParseGeEdge(std::string_view text, NameCache& names);

}  // namespace assay
