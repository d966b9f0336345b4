#include "drawing/layers.h"

#include <algorithm>

namespace assay {

Neighbours::Neighbours(size_t nodes, std::span<const DrawnEdge> edges,
                       Direction direction)
    : begin_(nodes + 1), all_(edges.size()) {
  const auto owner = [&](const DrawnEdge& e) {
    return direction == kUsers ? e.first : e.second;
  };
  for (const DrawnEdge& e : edges) ++begin_[owner(e) + 1];
  for (size_t i = 0; i < nodes; ++i) begin_[i + 1] += begin_[i];
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const DrawnEdge& e : edges) {
    all_[next[owner(e)]++] = direction == kUsers ? e.second : e.first;
  }
}

namespace {

enum class Mark : uint8_t { kNew, kOpen, kDone };

// Depth first, with a stack of our own: chains are tens of thousands long.
class CycleFinder {
 public:
  CycleFinder(size_t nodes, const Neighbours& users)
      : users_(users), marks_(nodes), next_(nodes) {}

  // Calls `turn(from, to)` for every edge back into the open path.
  template <typename Turn>
  void From(uint32_t root, const Turn& turn) {
    if (marks_[root] != Mark::kNew) return;
    Enter(root);
    while (!path_.empty()) {
      const uint32_t node = path_.back();
      const auto users = users_.Of(node);
      if (next_[node] == users.size()) {
        marks_[node] = Mark::kDone;
        path_.pop_back();
        continue;
      }
      const uint32_t user = users[next_[node]++];
      if (marks_[user] == Mark::kOpen) turn(node, user);
      if (marks_[user] == Mark::kNew) Enter(user);
    }
  }

 private:
  void Enter(uint32_t node) {
    marks_[node] = Mark::kOpen;
    path_.push_back(node);
  }

  const Neighbours& users_;
  std::vector<Mark> marks_;
  std::vector<uint32_t> next_, path_;
};

void SortUnique(std::vector<DrawnEdge>& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

}  // namespace

std::vector<DrawnEdge> WithoutCycles(size_t nodes,
                                     std::span<const DrawnEdge> edges) {
  std::vector<DrawnEdge> out;
  for (const DrawnEdge& e : edges) {
    if (e.first != e.second) out.push_back(e);
  }
  SortUnique(out);
  const Neighbours users(nodes, out, Neighbours::kUsers);
  std::vector<DrawnEdge> turned;
  CycleFinder finder(nodes, users);
  for (uint32_t i = 0; i < nodes; ++i) {
    finder.From(
        i, [&](uint32_t from, uint32_t to) { turned.emplace_back(from, to); });
  }
  std::sort(turned.begin(), turned.end());
  for (DrawnEdge& e : out) {
    if (std::ranges::binary_search(turned, e)) std::swap(e.first, e.second);
  }
  SortUnique(out);
  return out;
}

std::vector<uint32_t> AssignLayers(size_t nodes,
                                   std::span<const DrawnEdge> edges) {
  const Neighbours users(nodes, edges, Neighbours::kUsers);
  std::vector<uint32_t> waiting(nodes), layer(nodes), ready;
  for (const DrawnEdge& e : edges) ++waiting[e.second];
  for (uint32_t i = 0; i < nodes; ++i) {
    if (waiting[i] == 0) ready.push_back(i);
  }
  const std::vector<uint32_t> sources = ready;
  for (size_t i = 0; i < ready.size(); ++i) {  // grows while it is read
    for (const uint32_t user : users.Of(ready[i])) {
      layer[user] = std::max(layer[user], layer[ready[i]] + 1);
      if (--waiting[user] == 0) ready.push_back(user);
    }
  }
  for (const uint32_t source : sources) {
    uint32_t first = UINT32_MAX;
    for (const uint32_t user : users.Of(source)) {
      first = std::min(first, layer[user]);
    }
    if (first != UINT32_MAX) layer[source] = first - 1;
  }
  return layer;
}

}  // namespace assay
