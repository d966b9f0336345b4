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

void MatchNamed(const Matching& m, std::vector<size_t>& out) {
  for (const size_t i : m.wanted) {
    const auto found = std::ranges::find_if(
        m.offered, [&](size_t j) { return m.named(i, j); });
    if (found != m.offered.end()) out[i] = *found;
  }
}

// What no name has found or claimed is left over.
Matching LeftOver(const Matching& m, const std::vector<size_t>& out) {
  Matching left = m;
  std::set<size_t> claimed;
  for (const size_t i : m.wanted) claimed.insert(out[i]);
  std::erase_if(left.wanted, [&](size_t i) { return out[i] != kNobody; });
  std::erase_if(left.offered, [&](size_t j) { return claimed.contains(j); });
  return left;
}

// The best pairs first; of equals those at the same place.
std::vector<std::pair<size_t, size_t>> ByScore(const Matching& m) {
  struct Option {
    size_t score;
    bool aside;
    size_t i, j;
  };
  std::vector<Option> all;
  for (size_t a = 0; a < m.wanted.size(); ++a) {
    for (size_t b = 0; b < m.offered.size(); ++b) {
      const size_t i = m.wanted[a], j = m.offered[b];
      all.push_back({m.score(i, j), a != b, i, j});
    }
  }
  std::ranges::stable_sort(all, [](const Option& a, const Option& b) {
    return std::tuple(b.score, a.aside) < std::tuple(a.score, b.aside);
  });
  std::vector<std::pair<size_t, size_t>> pairs;
  for (const Option& o : all) pairs.emplace_back(o.i, o.j);
  return pairs;
}

// `is_single`: whether one of the offered belongs to one of the wanted only.
template <typename IsSingle>
void Match(const Matching& m, const IsSingle& is_single,
           std::vector<size_t>& out) {
  MatchNamed(m, out);
  std::set<size_t> taken;
  for (const auto& [i, j] : ByScore(LeftOver(m, out))) {
    if (out[i] != kNobody || taken.contains(j)) continue;
    out[i] = j;
    if (is_single(j)) taken.insert(j);
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

auto NotIn(const std::vector<size_t>& list) {
  return [&list](size_t i) { return std::ranges::find(list, i) == list.end(); };
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
    // Each run of a graph is a group of its own.
    const auto shared = [](size_t) { return false; };
    Match({wanted, offered, named, score}, shared, chosen);
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
  const bool by_rank = KnowRanks(mine) && KnowRanks(theirs);
  const std::vector<size_t> asking = OfOpened(mine, theirs);
  // Who tells graphs apart has a graph for each: what is missing was not
  // dumped.
  const auto single = [&](size_t j) { return theirs[j].graph != kNoName; };
  for (const int32_t rank : RanksOf(mine)) {
    std::vector<size_t> wanted = OfRank(mine, false, rank);
    if (!by_rank) std::erase_if(wanted, NotIn(asking));
    Match(
        {wanted, by_rank ? OfRank(theirs, false, rank) : OfOpened(theirs, mine),
         named, score},
        single, out);
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
