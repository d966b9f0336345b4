// Tensors of equal name belong together, or of one operator, port and index.
// Rounds from the strictest to the most forgiving; a round pairs a name only if
// it is unique on both sides.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "pairing/map_file.h"
#include "pairing/name_keys.h"
#include "pairing/names.h"
#include "pairing/strategy.h"

namespace assay {
namespace {

Pool MakePool(const Dump& dump, const NameRules& rules, const Shared& shared,
              std::vector<Unpaired>& skipped) {
  Pool pool{.dump = &dump, .rules = &rules, .shared = shared};
  pool.tensors_in_file.resize(dump.files.size());
  pool.why.resize(dump.tensors.size());
  for (const TensorInfo& tensor : dump.tensors) {
    ++pool.tensors_in_file[tensor.file];
  }
  for (uint32_t i = 0; i < dump.tensors.size(); ++i) {
    pool.names.push_back(rules.Renamed(dump.NameOf(dump.tensors[i])));
    const bool wanted = rules.Wanted(pool.names.back());
    pool.free.push_back(wanted);
    if (!wanted) skipped.push_back({i, "does not match --only", true});
  }
  return pool;
}

// The free tensors of each key, in their order.
using Index = std::unordered_map<std::string, std::vector<uint32_t>>;

Index IndexOf(const Pool& pool, const Round& round) {
  Index index;
  for (uint32_t i = 0; i < pool.names.size(); ++i) {
    if (!pool.free[i]) continue;
    if (auto key = round.key(pool, i)) {
      index[*std::move(key)].push_back(i);
    }
  }
  return index;
}

void Take(uint32_t g, uint32_t t, std::string why, Pool& golden, Pool& target,
          Pairing& out) {
  golden.free[g] = target.free[t] = false;
  out.pairs.push_back({.golden = {.tensors = {g}},
                       .target = {.tensors = {t}},
                       .why = std::move(why)});
}

void SayAmbiguous(const std::vector<uint32_t>& mine, size_t mine_count,
                  size_t other_count, Pool& pool) {
  for (const uint32_t i : mine) {
    pool.why[i] = fmt::format(
        "ambiguous: {} golden and {} target tensors share this name",
        mine_count, other_count);
  }
}

// The one of several that was dumped last; nothing if times do not tell.
std::optional<uint32_t> Newest(const std::vector<uint32_t>& all,
                               const Pool& pool) {
  const auto order = [&](uint32_t i) { return pool.Tensor(i).id.order; };
  const auto timed = [&](uint32_t i) {
    return pool.Tensor(i).id.order_from == OrderFrom::kTimestamp;
  };
  if (all.size() == 1) return all.front();
  if (!std::ranges::all_of(all, timed)) return std::nullopt;
  const uint32_t last = *std::ranges::max_element(all, {}, order);
  if (std::ranges::count(all, order(last), order) > 1) return std::nullopt;
  return last;
}

void SayOlder(const std::vector<uint32_t>& all, uint32_t newest, Pool& pool) {
  for (const uint32_t i : all) {
    if (i == newest) continue;
    pool.why[i] = fmt::format("an older dump of the same tensor; {} is newer",
                              pool.names[newest]);
  }
}

void RunRound(const Round& round, Pool& golden, Pool& target, Pairing& out) {
  const Index others = IndexOf(target, round);
  if (others.empty()) return;
  const Index index = IndexOf(golden, round);
  for (uint32_t i = 0; i < golden.names.size(); ++i) {
    if (!golden.free[i]) continue;
    const Key key = round.key(golden, i);
    const auto found = key ? others.find(*key) : others.end();
    if (found == others.end()) continue;
    const std::vector<uint32_t>&mine = index.at(*key), &theirs = found->second;
    if (mine.front() != i) continue;  // said with the first
    const bool unique = mine.size() == 1 && theirs.size() == 1;
    const auto g = Newest(mine, golden), t = Newest(theirs, target);
    if ((unique || round.newest) && g && t) {
      SayOlder(mine, *g, golden);
      SayOlder(theirs, *t, target);
      Take(*g, *t, round.why, golden, target, out);
      continue;
    }
    SayAmbiguous(mine, mine.size(), theirs.size(), golden);
    SayAmbiguous(theirs, mine.size(), theirs.size(), target);
  }
}

// A file that cannot be read stands for all that the same file holds on the
// other side: each of these is an error row, none is lost among the unpaired.
using Join = std::function<void(uint32_t bad, uint32_t other)>;

void PairUnreadable(bool two_files, Pool& pool, Pool& other, const Join& join) {
  std::unordered_map<std::string, std::vector<uint32_t>> held;
  for (uint32_t i = 0; i < other.names.size(); ++i) {
    if (other.free[i]) held[two_files ? "" : FileName(other, i)].push_back(i);
  }
  for (uint32_t i = 0; i < pool.names.size(); ++i) {
    if (!pool.free[i] || !pool.Tensor(i).error) continue;
    const auto found = held.find(two_files ? "" : FileName(pool, i));
    if (found == held.end()) continue;
    for (const uint32_t j : found->second) join(i, j);
    held.erase(found);
  }
}

void PairAllUnreadable(bool two_files, Pool& golden, Pool& target,
                       Pairing& out) {
  constexpr std::string_view kWhy = "the file that should hold it";
  PairUnreadable(two_files, target, golden, [&](uint32_t t, uint32_t g) {
    Take(g, t, std::string(kWhy), golden, target, out);
  });
  PairUnreadable(two_files, golden, target, [&](uint32_t g, uint32_t t) {
    Take(g, t, std::string(kWhy), golden, target, out);
  });
}

// The operators, ports and indices of a side, at any rank and step.
std::unordered_set<std::string> OperatorsOf(const Pool& pool) {
  std::unordered_set<std::string> keys;
  if (!pool.shared.rank && !pool.shared.step) return keys;
  for (uint32_t i = 0; i < pool.names.size(); ++i) {
    if (auto key = OperatorKey(pool, i)) keys.insert(*std::move(key));
  }
  return keys;
}

std::string WhyUnpaired(const Pool& pool, uint32_t i, std::string_view side,
                        const std::unordered_set<std::string>& operators,
                        const NearMiss& near) {
  if (!pool.why[i].empty()) return pool.why[i];
  if (const Key key = OperatorKey(pool, i); key && operators.contains(*key)) {
    return fmt::format("the {} has it, but not at {}", side,
                       WhereText(pool, i));
  }
  std::string why = fmt::format("no {} tensor has this name", side);
  const std::string_view miss = near.Find(pool.names[i]);
  if (!miss.empty()) why += fmt::format("; nearest: {}", miss);
  return why;
}

// Lists what is left over, with the reason.
void ListUnpaired(const Pool& pool, const Pool& other, std::string_view side,
                  std::vector<Unpaired>& out) {
  std::vector<std::string_view> candidates;
  for (uint32_t i = 0; i < other.names.size(); ++i) {
    if (other.free[i]) candidates.push_back(other.names[i]);
  }
  const NearMiss near(std::move(candidates));
  const auto operators = OperatorsOf(other);
  for (uint32_t i = 0; i < pool.names.size(); ++i) {
    if (!pool.free[i]) continue;
    std::string why = WhyUnpaired(pool, i, side, operators, near);
    if (const auto& error = pool.Tensor(i).error) {
      why += fmt::format("; it cannot be read: {}", error->what);
    }
    out.push_back({i, std::move(why)});
  }
}

// Free tensors by their name, before and after --rename.
std::unordered_map<std::string_view, uint32_t> NamesOf(const Pool& pool) {
  std::unordered_map<std::string_view, uint32_t> index;
  for (uint32_t i = 0; i < pool.names.size(); ++i) {
    if (!pool.free[i]) continue;
    index.emplace(pool.names[i], i);
    index.emplace(pool.dump->NameOf(pool.Tensor(i)), i);
  }
  return index;
}

Error NotThere(const std::string& path, const MapLine& line,
               std::string_view side, const std::string& name) {
  return Usage("no {} tensor is called '{}', or it is paired already", side,
               name)
      .AtLine(path, line.number)
      .Hint("'assay show SOURCE' lists the names");
}

Status ApplyMap(const std::string& path, Pool& golden, Pool& target,
                Pairing& out) {
  ASSIGN_OR_RETURN(const std::vector<MapLine> lines, ReadMap(path));
  const auto golden_names = NamesOf(golden), target_names = NamesOf(target);
  for (const MapLine& line : lines) {
    const auto g = golden_names.find(line.golden);
    const auto t = target_names.find(line.target);
    if (g == golden_names.end() || !golden.free[g->second]) {
      return NotThere(path, line, "golden", line.golden);
    }
    if (t == target_names.end() || !target.free[t->second]) {
      return NotThere(path, line, "target", line.target);
    }
    Take(g->second, t->second, fmt::format("line {} of the map", line.number),
         golden, target, out);
  }
  return Done{};
}

std::string Fits(const Dump&, const Dump&, const PairOptions&) {
  return "nothing but names connects the two sides";
}

Result<Pairing> DoPair(const Dump& golden_dump, const Dump& target_dump,
                       const PairOptions& options) {
  ASSIGN_OR_RETURN(const NameRules rules,
                   NameRules::Make(options.only, options.renames));
  Pairing out;
  const Shared shared = SharedBy(golden_dump, target_dump);
  Pool golden = MakePool(golden_dump, rules, shared, out.golden);
  Pool target = MakePool(target_dump, rules, shared, out.target);
  if (!options.map_file.empty()) {
    RETURN_IF_ERROR(ApplyMap(options.map_file, golden, target, out));
  }

  const bool two_files =
      golden_dump.files.size() == 1 && target_dump.files.size() == 1;
  const auto rounds = NameRounds(two_files, !options.renames.empty());
  for (const Round& round : rounds) RunRound(round, golden, target, out);
  PairAllUnreadable(two_files, golden, target, out);
  ListUnpaired(golden, target, "target", out.golden);
  ListUnpaired(target, golden, "golden", out.target);
  return out;
}

}  // namespace

extern constinit const Strategy kByName = {
    .name = "by-name",
    .summary =
        "equal paths, then equal names, then names that differ in / . :, "
        "then operator, port and index",
    .fits = Fits,
    .pair = DoPair,
};

}  // namespace assay
