#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// What a picture of a side's graphs needs: who feeds whom, and which rows of
// the comparison stand at which operator.
struct GraphOutline {
  struct Node {
    std::string name, type;
    std::vector<std::string> originals;  // of a fused operator: two or more
    std::vector<std::pair<std::string, std::string>> attrs;  // of bad rows
  };

  std::string file;  // "g.json", "g.json and 2 more"
  std::vector<Node> nodes;
  std::vector<std::pair<uint32_t, uint32_t>> edges;  // producer, user
  std::vector<int32_t> node_of_row;                  // -1: none
};

}  // namespace assay
