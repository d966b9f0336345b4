#include "graphs/graph_circles.h"

#include <algorithm>
#include <unordered_map>

namespace assay {
namespace {

constexpr uint32_t kNowhere = ~uint32_t{0};

uint64_t Key(uint32_t part, NameId name) {
  return static_cast<uint64_t>(part) << 32 | name;
}

bool ClosesLoop(std::string_view type) {
  return type == "NextIteration" || type == "RefNextIteration";
}

class CircleFinder {
 public:
  explicit CircleFinder(const Graph& graph)
      : graph_(graph), states_(graph.operators.size(), State::kNew) {
    makers_.reserve(graph.operators.size());
    for (uint32_t i = 0; i < graph.operators.size(); ++i) {
      const Operator& op = graph.operators[i];
      const auto [entry, is_new] = makers_.emplace(Key(op.part, op.name), i);
      if (!is_new) entry->second = kNowhere;
    }
  }

  GraphCircles Run() {
    for (uint32_t i = 0; i < states_.size(); ++i) {
      if (states_[i] == State::kNew) Walk(i);
    }
    return std::move(found_);
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };
  struct Step {
    uint32_t op;
    size_t input = 0;
  };

  // A list instead of recursion: graphs may be a million operators deep.
  void Walk(uint32_t first) {
    std::vector<Step> path = {{first}};
    states_[first] = State::kOpen;
    while (!path.empty()) {
      const uint32_t op = path.back().op;
      const auto& inputs = graph_.operators[op].inputs;
      if (path.back().input == inputs.size()) {
        states_[op] = State::kDone;
        path.pop_back();
        continue;
      }
      const uint32_t maker = MakerOf(op, inputs[path.back().input++]);
      if (maker == kNowhere || states_[maker] == State::kDone) continue;
      if (states_[maker] == State::kOpen) {
        if (found_.count++ == 0) Keep(path, maker);
        continue;
      }
      states_[maker] = State::kOpen;
      path.push_back({maker});
    }
  }

  // The path goes from users to makers, and `maker` is on it.
  void Keep(const std::vector<Step>& path, uint32_t maker) {
    auto& circle = found_.first;
    for (size_t i = path.size(); i-- > 0;) {
      circle.push_back(path[i].op);
      if (path[i].op == maker) break;
    }
    std::rotate(circle.begin(), std::ranges::min_element(circle), circle.end());
  }

  // Names are those of the operator's own part; others cannot close a circle.
  // Of a name that stands twice it is not known who is meant.
  uint32_t MakerOf(uint32_t op, const GraphEdge& edge) const {
    if (edge.op == kNoName) return kNowhere;
    const auto found = makers_.find(Key(graph_.operators[op].part, edge.op));
    if (found == makers_.end() || found->second == kNowhere) return kNowhere;
    const Operator& maker = graph_.operators[found->second];
    return ClosesLoop(graph_.Text(maker.type)) ? kNowhere : found->second;
  }

  const Graph& graph_;
  std::vector<State> states_;
  std::unordered_map<uint64_t, uint32_t> makers_;
  GraphCircles found_;
};

}  // namespace

GraphCircles CirclesOf(const Graph& graph) { return CircleFinder(graph).Run(); }

}  // namespace assay
