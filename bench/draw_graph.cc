// Seconds that the layout of a graph takes: draw_graph OPERATORS
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "drawing/layered.h"

int main(int, char** argv) {
  const auto operators = static_cast<uint32_t>(std::atoi(argv[1]));
  std::vector<assay::DrawnEdge> edges;  // as bench/page_run.py makes them
  for (uint32_t i = 1; i < operators; ++i) {
    edges.emplace_back(i - 1, i);
    if (i % 25 == 12 && i > 12) edges.emplace_back(i - 12, i);
    if (i % 7 == 3 && i > 3) edges.emplace_back(i - 3, i);
  }
  const auto start = std::chrono::steady_clock::now();
  const assay::Drawing drawing = assay::DrawLayered(operators, edges);
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  std::printf("%f\n", took.count());
  return drawing.x.size() == operators ? 0 : 1;
}
