#include "drawing/alignment.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_set>

namespace assay {
namespace {

// One of the four passes, as if it went down and leftmost first: `down` false
// aligns with users instead of producers, `left` false mirrors the layers.
struct Corner {
  bool down = true, left = true;
};

class OnePass {
 public:
  OnePass(const ProperGraph& graph,
          const std::unordered_set<uint64_t>& conflicts, Corner corner)
      : graph_(graph), conflicts_(conflicts), corner_(corner) {}

  std::vector<float> Run();

 private:
  uint32_t Place(uint32_t node) const {
    const auto size = graph_.layers[graph_.layer[node]].size();
    return corner_.left ? graph_.place[node]
                        : static_cast<uint32_t>(size) - 1 - graph_.place[node];
  }
  uint32_t At(size_t layer, size_t place) const {
    const auto& nodes = graph_.layers[layer];
    return nodes[corner_.left ? place : nodes.size() - 1 - place];
  }
  bool Conflict(uint32_t a, uint32_t b) const;
  void AlignLayer(size_t layer);
  void AlignNode(uint32_t node, int64_t& limit);
  void PlaceBlock(uint32_t root);
  void PlaceWithStack(uint32_t root);
  uint32_t LeftOf(uint32_t node) const;

  const ProperGraph& graph_;
  const std::unordered_set<uint64_t>& conflicts_;
  const Corner corner_;
  // As in the paper: the block's first node, the next node of the block (a
  // ring), the class of blocks that move together, and its shift.
  std::vector<uint32_t> root_, align_, sink_;
  std::vector<float> shift_, x_;
  std::vector<bool> placed_;
  std::vector<uint32_t> sorted_;
};

uint64_t Key(uint32_t upper, uint32_t lower) {
  return uint64_t{upper} << 32 | lower;
}

bool OnePass::Conflict(uint32_t a, uint32_t b) const {
  if (conflicts_.empty()) return false;
  return conflicts_.contains(corner_.down ? Key(a, b) : Key(b, a));
}

// With the median of its neighbours, if that crosses nothing aligned before.
void OnePass::AlignNode(uint32_t node, int64_t& limit) {
  const auto neighbours =
      (corner_.down ? graph_.producers : graph_.users)->Of(node);
  if (neighbours.empty()) return;
  sorted_.assign(neighbours.begin(), neighbours.end());
  std::sort(sorted_.begin(), sorted_.end(),
            [&](uint32_t a, uint32_t b) { return Place(a) < Place(b); });
  const size_t n = sorted_.size();
  for (const size_t m : {(n - 1) / 2, n / 2}) {
    const uint32_t median = sorted_[m];
    if (align_[node] != node) return;
    if (Conflict(median, node) || limit >= Place(median)) continue;
    align_[median] = node;
    root_[node] = root_[median];
    align_[node] = root_[node];
    limit = Place(median);
  }
}

void OnePass::AlignLayer(size_t layer) {
  int64_t limit = -1;
  for (size_t i = 0; i < graph_.layers[layer].size(); ++i) {
    AlignNode(At(layer, i), limit);
  }
}

constexpr uint32_t kNobody = UINT32_MAX;

uint32_t OnePass::LeftOf(uint32_t node) const {
  const uint32_t place = Place(node);
  return place == 0 ? kNobody : At(graph_.layer[node], place - 1);
}

// As far left as the blocks on its left allow; these are placed already.
void OnePass::PlaceBlock(uint32_t root) {
  uint32_t node = root;
  do {
    const uint32_t left = LeftOf(node);
    if (left != kNobody) {
      const uint32_t other = root_[left];
      if (sink_[root] == root) sink_[root] = sink_[other];
      if (sink_[root] != sink_[other]) {
        shift_[sink_[other]] =
            std::min(shift_[sink_[other]], x_[root] - x_[other] - 1);
      } else {
        x_[root] = std::max(x_[root], x_[other] + 1);
      }
    }
    node = align_[node];
  } while (node != root);
}

// The paper recurses; a chain of blocks can be too long for that.
void OnePass::PlaceWithStack(uint32_t start) {
  std::vector<uint32_t> stack = {start};
  while (!stack.empty()) {
    const uint32_t root = stack.back();
    bool ready = true;
    uint32_t node = root;
    do {
      const uint32_t left = LeftOf(node);
      if (left != kNobody && !placed_[root_[left]]) {
        stack.push_back(root_[left]);
        ready = false;
      }
      node = align_[node];
    } while (node != root && ready);
    if (!ready) continue;
    if (!placed_[root]) PlaceBlock(root);
    placed_[root] = true;
    stack.pop_back();
  }
}

std::vector<float> OnePass::Run() {
  const auto n = static_cast<uint32_t>(graph_.size());
  for (uint32_t i = 0; i < n; ++i) root_.push_back(i);
  align_ = sink_ = root_;
  shift_.assign(n, std::numeric_limits<float>::infinity());
  x_.assign(n, 0);
  placed_.assign(n, false);
  const size_t layers = graph_.layers.size();
  for (size_t i = 0; i < layers; ++i) {
    AlignLayer(corner_.down ? i : layers - 1 - i);
  }
  for (uint32_t i = 0; i < n; ++i) {
    if (root_[i] == i && !placed_[i]) PlaceWithStack(i);
  }
  std::vector<float> out(n);
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t root = root_[i];
    const float shift = shift_[sink_[root]];
    out[i] = x_[root] + (shift < 0 ? shift : 0);
    if (!corner_.left) out[i] = -out[i];
  }
  return out;
}

// Long edges stay straight: where a short one crosses the inner piece of a long
// one, it is not aligned.
std::unordered_set<uint64_t> FindConflicts(const ProperGraph& graph) {
  std::unordered_set<uint64_t> conflicts;
  for (size_t l = 1; l + 1 < graph.layers.size(); ++l) {
    const auto& lower = graph.layers[l + 1];
    uint32_t left = 0;
    size_t done = 0;
    for (size_t i = 0; i < lower.size(); ++i) {
      const auto above = graph.producers->Of(lower[i]);
      const bool inner =
          graph.IsBend(lower[i]) && !above.empty() && graph.IsBend(above[0]);
      if (i + 1 < lower.size() && !inner) continue;
      const auto right =
          inner ? graph.place[above[0]]
                : static_cast<uint32_t>(graph.layers[l].size()) - 1;
      for (; done <= i; ++done) {
        for (const uint32_t upper : graph.producers->Of(lower[done])) {
          const uint32_t place = graph.place[upper];
          if (place >= left && place <= right) continue;
          conflicts.insert(Key(upper, lower[done]));
        }
      }
      left = right;
    }
  }
  return conflicts;
}

using Passes = std::array<std::vector<float>, 4>;

// All four over one another: each is moved so that the ends on its own side
// meet those of the narrowest.
void Superpose(Passes& passes) {
  std::array<float, 4> low{}, high{};
  size_t narrowest = 0;
  for (size_t i = 0; i < 4; ++i) {
    const auto [a, b] = std::ranges::minmax(passes[i]);
    low[i] = a;
    high[i] = b;
    if (high[i] - low[i] < high[narrowest] - low[narrowest]) narrowest = i;
  }
  for (size_t i = 0; i < 4; ++i) {
    const bool left = i % 2 == 0;
    const float by = left ? low[narrowest] - low[i] : high[narrowest] - high[i];
    for (float& x : passes[i]) x += by;
  }
}

// The paper's classes can end up overlapping (its erratum of 2020).
void PushApart(const ProperGraph& graph, std::vector<float>& x) {
  for (const auto& layer : graph.layers) {
    for (size_t i = 1; i < layer.size(); ++i) {
      x[layer[i]] = std::max(x[layer[i]], x[layer[i - 1]] + 1);
    }
  }
}

}  // namespace

std::vector<float> AlignNodes(const ProperGraph& graph) {
  if (graph.size() == 0) return {};
  const std::unordered_set<uint64_t> conflicts = FindConflicts(graph);
  Passes passes;
  for (size_t i = 0; i < 4; ++i) {
    const Corner corner{.down = i < 2, .left = i % 2 == 0};
    passes[i] = OnePass(graph, conflicts, corner).Run();
  }
  Superpose(passes);
  std::vector<float> out(graph.size());
  for (size_t i = 0; i < out.size(); ++i) {
    std::array<float, 4> x = {passes[0][i], passes[1][i], passes[2][i],
                              passes[3][i]};
    std::ranges::sort(x);
    out[i] = (x[1] + x[2]) / 2;
  }
  PushApart(graph, out);
  return out;
}

}  // namespace assay
