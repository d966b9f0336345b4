#include "pairing/torchair_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace assay {
namespace {

std::string_view FileOf(const Graph& graph) {
  const std::string_view path = graph.file;
  return path.substr(path.rfind('/') + 1);
}

// The number behind `mark` in a file name; -1 if there is none.
int64_t NumberBehind(std::string_view name, std::string_view mark) {
  constexpr size_t kMostDigits = 9;
  const size_t at = name.find(mark);
  if (at == std::string_view::npos) return -1;
  name.remove_prefix(at + mark.size());
  int64_t number = -1;
  for (size_t i = 0; i < std::min(name.size(), kMostDigits); ++i) {
    if (name[i] < '0' || name[i] > '9') break;
    number = 10 * std::max<int64_t>(number, 0) + (name[i] - '0');
  }
  return number;
}

// 1 for "dynamo_original_graph_1_rank_0_...".
int64_t NumberOf(const Graph& graph) {
  return NumberBehind(FileOf(graph), "graph_");
}

struct Matching {
  std::vector<size_t> wanted, offered;
  const IsNamed& named;
  const Score& score;
};

// The one of `left` that fits best; of equals the one at `place`.
size_t BestOf(const std::vector<size_t>& left, size_t i, size_t place,
              const Score& score) {
  size_t best = 0, out = kNobody;
  for (size_t k = 0; k < left.size(); ++k) {
    const size_t points = score(i, left[k]);
    const bool better = out == kNobody || points > best;
    if (!better && !(points == best && k == place)) continue;
    best = points;
    out = left[k];
  }
  return out;
}

void Match(const Matching& m, std::vector<size_t>& out) {
  std::set<size_t> claimed;
  for (const size_t i : m.wanted) {
    const auto found = std::ranges::find_if(
        m.offered, [&](size_t j) { return m.named(i, j); });
    if (found == m.offered.end()) continue;
    out[i] = *found;
    claimed.insert(*found);
  }
  std::vector<size_t> left;
  for (const size_t j : m.offered) {
    if (!claimed.contains(j)) left.push_back(j);
  }
  size_t place = 0;
  for (const size_t i : m.wanted) {
    if (out[i] == kNobody) out[i] = BestOf(left, i, place++, m.score);
  }
}

bool KnowRanks(const std::vector<GraphGroup>& groups) {
  return std::ranges::any_of(groups,
                             [](const GraphGroup& g) { return g.rank >= 0; });
}

std::vector<size_t> OfRank(const std::vector<GraphGroup>& groups, bool all,
                           int32_t rank) {
  std::vector<size_t> out;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (all || groups[i].rank == rank) out.push_back(i);
  }
  return out;
}

// If one side is a single rank of its dump, the other has to be that one too.
std::vector<size_t> OfOpened(const std::vector<GraphGroup>& groups,
                             const std::vector<GraphGroup>& others) {
  const int32_t rank = others.empty() ? -1 : others.front().opened_rank;
  const bool several = KnowRanks(groups) && rank >= 0;
  return OfRank(groups, !several, rank);
}

std::set<int32_t> RanksOf(const std::vector<GraphGroup>& groups) {
  std::set<int32_t> ranks;
  for (const GraphGroup& group : groups) ranks.insert(group.rank);
  return ranks;
}

// How many operators of the group the graph has.
size_t CountOperators(const Graph& graph, const GraphGroup& group,
                      const Dump& dump) {
  const auto& ops = group.steps.begin()->second.all();
  return static_cast<size_t>(
      std::ranges::count_if(ops, [&](const OpTensors& op) {
        return graph.Find(dump.names[op.op]) != nullptr;
      }));
}

}  // namespace

std::vector<const Graph*> GraphsOfRank(
    const std::vector<std::shared_ptr<const Graph>>& graphs, int32_t rank) {
  const auto original = [](const Graph* g) {
    return FileOf(*g).starts_with("dynamo_original");
  };
  const auto of_rank = [&](const Graph* g) {
    return NumberBehind(FileOf(*g), "_rank_") == rank;
  };
  std::vector<const Graph*> all;
  for (const auto& graph : graphs) all.push_back(graph.get());
  if (std::ranges::any_of(all, original))
    std::erase_if(all, std::not_fn(original));
  if (std::ranges::any_of(all, of_rank))
    std::erase_if(all, std::not_fn(of_rank));
  // The time is the last part of the name: the newest comes first.
  std::ranges::sort(all, [](const Graph* a, const Graph* b) {
    return std::tuple(NumberOf(*a), FileOf(*b)) <
           std::tuple(NumberOf(*b), FileOf(*a));
  });
  const auto same = [](const Graph* a, const Graph* b) {
    return NumberOf(*a) >= 0 && NumberOf(*a) == NumberOf(*b);
  };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

bool IsCalled(const Graph& graph, std::string_view folder) {
  return folder == graph.Text(graph.name) ||
         folder == fmt::format("graph_{}", NumberOf(graph));
}

std::vector<const Graph*> GraphsOfGroups(
    const Dump& dump, const std::vector<GraphGroup>& groups) {
  std::vector<const Graph*> out(groups.size());
  for (const int32_t rank : RanksOf(groups)) {
    const auto graphs = GraphsOfRank(dump.graphs, rank);
    std::vector<size_t> offered(graphs.size());
    for (size_t j = 0; j < offered.size(); ++j) offered[j] = j;
    const IsNamed named = [&](size_t i, size_t j) {
      return IsCalled(*graphs[j], dump.names[groups[i].graph]);
    };
    const Score score = [&](size_t i, size_t j) {
      return CountOperators(*graphs[j], groups[i], dump);
    };
    const auto wanted = OfRank(groups, false, rank);
    std::vector<size_t> chosen(groups.size(), kNobody);
    Match({wanted, offered, named, score}, chosen);
    for (const size_t i : wanted) {
      if (chosen[i] != kNobody) out[i] = graphs[chosen[i]];
    }
  }
  return out;
}

std::vector<size_t> PartnersOf(const std::vector<GraphGroup>& mine,
                               const std::vector<GraphGroup>& theirs,
                               const IsNamed& named, const Score& score) {
  std::vector<size_t> out(mine.size(), kNobody);
  if (!KnowRanks(mine) || !KnowRanks(theirs)) {
    Match({OfOpened(mine, theirs), OfOpened(theirs, mine), named, score}, out);
    return out;
  }
  for (const int32_t rank : RanksOf(mine)) {
    Match(
        {OfRank(mine, false, rank), OfRank(theirs, false, rank), named, score},
        out);
  }
  return out;
}

std::string WhyAlone(const TensorId& id, const std::vector<GraphGroup>& others,
                     std::string_view side, std::string_view otherwise) {
  const auto has = [&](bool step) {
    return std::ranges::any_of(others, [&](const GraphGroup& g) {
      return (g.rank < 0 || id.rank < 0 || g.rank == id.rank) &&
             (!step || g.At(id.step) != nullptr);
    });
  };
  if (!has(false)) return fmt::format("the {} has no rank {}", side, id.rank);
  if (!has(true)) return fmt::format("the {} has no step {}", side, id.step);
  return std::string(otherwise);
}

}  // namespace assay
