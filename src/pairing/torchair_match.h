#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pairing/torchair_groups.h"

namespace assay {

// The graphs of a rank, one per number, in the order of the numbers: those
// before optimisation, the newest of each. Without any for this rank: all.
std::vector<const Graph*> GraphsOfRank(
    const std::vector<std::shared_ptr<const Graph>>& graphs, int32_t rank);
// Whether a folder of this name holds the dump of the graph: its own name, or
// its number in the name of its file.
bool IsCalled(const Graph& graph, std::string_view folder);

// The graph of each group; null where there is none.
std::vector<const Graph*> GraphsOfGroups(const Dump& dump,
                                         const std::vector<GraphGroup>& groups);

inline constexpr size_t kNobody = ~size_t{0};
using IsNamed = std::function<bool(size_t wanted, size_t offered)>;
using Score = std::function<size_t(size_t wanted, size_t offered)>;
// Which of `theirs` each of `mine` means, rank by rank where both know ranks:
// the one of its name; else, of those that no name claims, the one with the
// highest score, of equals the one at the same place; two of `mine` share one
// only if `theirs` do not tell graphs apart. kNobody: none is left.
std::vector<size_t> PartnersOf(const std::vector<GraphGroup>& mine,
                               const std::vector<GraphGroup>& theirs,
                               const IsNamed& named, const Score& score);

// Why a tensor that nobody spoke of has no partner on the other side.
std::string WhyAlone(const TensorId& id, const std::vector<GraphGroup>& others,
                     std::string_view side, std::string_view otherwise);

}  // namespace assay
