#pragma once

#include <string_view>

#include "base/json_writer.h"
#include "core/graph_outline.h"
#include "reports/page_columns.h"

namespace assay {

// A side's graph for the page: drawn as it is, and once more for each depth at
// which its name scopes fold into few enough boxes; "depths" has them, the
// finest first.
//   columns SIDE.node            of each row: node + 1, 0 for none
//   columns SIDE.LEVEL.name type x layer from to members
//   columns SIDE.LEVEL.box       of each node: its box on that level
void AppendGraph(std::string_view side, const GraphOutline* outline,
                 PageColumns& columns, JsonWriter& json);

}  // namespace assay
