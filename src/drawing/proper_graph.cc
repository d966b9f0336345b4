#include "drawing/proper_graph.h"

#include <algorithm>

namespace assay {
namespace {

constexpr size_t kBendsPerNode = 3;

// The longest span that keeps the number of bends within the bound.
uint32_t LongestSpan(size_t nodes, std::span<const DrawnEdge> edges,
                     const std::vector<uint32_t>& layer) {
  std::vector<uint32_t> spans;
  for (const auto& [from, to] : edges) spans.push_back(layer[to] - layer[from]);
  std::sort(spans.begin(), spans.end());
  size_t bends = 0;
  for (const uint32_t span : spans) {
    bends += span - 1;
    if (bends > kBendsPerNode * nodes) return span - 1;
  }
  return UINT32_MAX;
}

// Depth first from the top: chains come out side by side, hardly crossed.
std::vector<uint32_t> FirstOrder(const ProperGraph& graph) {
  std::vector<uint32_t> order, stack;
  std::vector<bool> seen(graph.size());
  const auto visit = [&](uint32_t root) {
    stack.push_back(root);
    while (!stack.empty()) {
      const uint32_t node = stack.back();
      stack.pop_back();
      if (seen[node]) continue;
      seen[node] = true;
      order.push_back(node);
      for (const uint32_t user : graph.users->Of(node)) {
        if (!seen[user]) stack.push_back(user);
      }
    }
  };
  for (uint32_t i = 0; i < graph.size(); ++i) {
    if (graph.producers->Of(i).empty()) visit(i);
  }
  return order;
}

float MedianPlace(const ProperGraph& graph, std::span<const uint32_t> nodes,
                  std::vector<uint32_t>& places) {
  places.clear();
  for (const uint32_t node : nodes) places.push_back(graph.place[node]);
  std::sort(places.begin(), places.end());
  const size_t n = places.size();
  return (static_cast<float>(places[(n - 1) / 2]) +
          static_cast<float>(places[n / 2])) /
         2;
}

void SortLayer(ProperGraph& graph, std::vector<uint32_t>& layer,
               const Neighbours& fixed) {
  std::vector<std::pair<float, uint32_t>> keys;
  std::vector<uint32_t> places;
  for (const uint32_t node : layer) {
    const auto neighbours = fixed.Of(node);
    keys.emplace_back(neighbours.empty()
                          ? static_cast<float>(graph.place[node])
                          : MedianPlace(graph, neighbours, places),
                      node);
  }
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  });
  for (size_t i = 0; i < layer.size(); ++i) layer[i] = keys[i].second;
  graph.Renumber(layer);
}

}  // namespace

void ProperGraph::Renumber(std::vector<uint32_t>& order) {
  for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
}

ProperGraph MakeProper(size_t nodes, std::span<const DrawnEdge> edges,
                       std::vector<uint32_t> layers) {
  ProperGraph graph{.real = nodes};
  const uint32_t longest = LongestSpan(nodes, edges, layers);
  graph.layer = std::move(layers);
  std::vector<DrawnEdge> pieces;
  for (const auto& [from, to] : edges) {
    if (graph.layer[to] - graph.layer[from] > longest) continue;
    uint32_t last = from;
    for (uint32_t l = graph.layer[from] + 1; l < graph.layer[to]; ++l) {
      const auto bend = static_cast<uint32_t>(graph.layer.size());
      graph.layer.push_back(l);
      pieces.emplace_back(last, bend);
      last = bend;
    }
    pieces.emplace_back(last, to);
  }
  const size_t all = graph.layer.size();
  graph.users = std::make_unique<Neighbours>(all, pieces, Neighbours::kUsers);
  graph.producers =
      std::make_unique<Neighbours>(all, pieces, Neighbours::kProducers);
  graph.place.resize(all);
  uint32_t deepest = 0;
  for (const uint32_t l : graph.layer) deepest = std::max(deepest, l);
  graph.layers.resize(all == 0 ? 0 : deepest + 1);
  for (const uint32_t node : FirstOrder(graph)) {
    graph.layers[graph.layer[node]].push_back(node);
  }
  for (auto& layer : graph.layers) graph.Renumber(layer);
  return graph;
}

void ReduceCrossings(ProperGraph& graph) {
  constexpr int kSweeps = 4;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (auto& layer : graph.layers) {
      SortLayer(graph, layer, *graph.producers);
    }
    for (size_t i = graph.layers.size(); i-- > 0;) {
      SortLayer(graph, graph.layers[i], *graph.users);
    }
  }
}

}  // namespace assay
