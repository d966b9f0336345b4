// Tensors of equal name belong together. Four rounds, from the strictest to
// the most forgiving; a round pairs a name only if it is unique on both sides.
#include <fmt/format.h>

#include <functional>
#include <unordered_map>

#include "pairing/map_file.h"
#include "pairing/names.h"
#include "pairing/strategy.h"

namespace assay {
namespace {

// The tensors of one side that are still without a partner.
struct Pool {
  const Dump* dump;
  std::vector<std::string> names;  // after --rename, per tensor
  std::vector<bool> free;
  std::vector<std::string> why;  // why not paired, once known

  const TensorInfo& Tensor(uint32_t i) const { return dump->tensors[i]; }
};

Pool MakePool(const Dump& dump, const NameRules& rules,
              std::vector<Unpaired>& skipped) {
  Pool pool{&dump, {}, {}, std::vector<std::string>(dump.tensors.size())};
  for (uint32_t i = 0; i < dump.tensors.size(); ++i) {
    pool.names.push_back(rules.Renamed(dump.NameOf(dump.tensors[i])));
    const bool wanted = rules.Wanted(pool.names.back());
    pool.free.push_back(wanted);
    if (!wanted) skipped.push_back({i, "does not match --only", true});
  }
  return pool;
}

struct Round {
  std::string why;
  std::function<std::string(const Pool&, uint32_t)> key;
};

// Relative path with suffix and member: the same file in two folders.
std::string PathKey(const Pool& pool, uint32_t i) {
  const TensorInfo& t = pool.Tensor(i);
  return pool.dump->files[t.file] + '\n' + t.stored.name;
}

using Index = std::unordered_map<std::string, std::vector<uint32_t>>;

Index IndexOf(const Pool& pool, const Round& round) {
  Index index;
  for (uint32_t i = 0; i < pool.names.size(); ++i) {
    if (pool.free[i]) index[round.key(pool, i)].push_back(i);
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

void RunRound(const Round& round, Pool& golden, Pool& target, Pairing& out) {
  const Index others = IndexOf(target, round);
  const Index index = IndexOf(golden, round);
  for (uint32_t i = 0; i < golden.names.size(); ++i) {
    if (!golden.free[i]) continue;
    const std::string key = round.key(golden, i);
    const auto found = others.find(key);
    if (found == others.end()) continue;
    const std::vector<uint32_t>& mine = index.at(key);
    if (mine.size() == 1 && found->second.size() == 1) {
      Take(i, found->second.front(), round.why, golden, target, out);
      continue;
    }
    SayAmbiguous(mine, mine.size(), found->second.size(), golden);
    SayAmbiguous(found->second, mine.size(), found->second.size(), target);
  }
}

// Lists what is left over, with the reason.
void ListUnpaired(const Pool& pool, const Pool& other, std::string_view side,
                  std::vector<Unpaired>& out) {
  std::vector<std::string_view> candidates;
  for (uint32_t i = 0; i < other.names.size(); ++i) {
    if (other.free[i]) candidates.push_back(other.names[i]);
  }
  const NearMiss near(std::move(candidates));
  for (uint32_t i = 0; i < pool.names.size(); ++i) {
    if (!pool.free[i]) continue;
    std::string why = pool.why[i];
    if (why.empty()) {
      why = fmt::format("no {} tensor has this name", side);
      const std::string_view miss = near.Find(pool.names[i]);
      if (!miss.empty()) why += fmt::format("; nearest: {}", miss);
    }
    out.push_back({i, std::move(why)});
  }
}

Status ApplyMap(const std::string& path, Pool& golden, Pool& target,
                Pairing& out) {
  ASSIGN_OR_RETURN(const std::vector<MapLine> lines, ReadMap(path));
  const auto find = [](const Pool& pool, const std::string& name) {
    for (uint32_t i = 0; i < pool.names.size(); ++i) {
      if (pool.free[i] && (pool.names[i] == name ||
                           pool.dump->NameOf(pool.Tensor(i)) == name)) {
        return std::optional(i);
      }
    }
    return std::optional<uint32_t>();
  };
  for (const MapLine& line : lines) {
    const auto g = find(golden, line.golden), t = find(target, line.target);
    if (!g || !t) {
      return Usage("no {} tensor is called '{}'", g ? "target" : "golden",
                   g ? line.target : line.golden)
          .AtLine(path, line.number)
          .Hint("'assay show SOURCE' lists the names");
    }
    Take(*g, *t, fmt::format("line {} of the map", line.number), golden, target,
         out);
  }
  return Done{};
}

std::string Fits(const Dump&, const Dump&) {
  return "nothing but names connects the two sides";
}

Result<Pairing> DoPair(const Dump& golden_dump, const Dump& target_dump,
                       const PairOptions& options) {
  ASSIGN_OR_RETURN(const NameRules rules,
                   NameRules::Make(options.only, options.renames));
  Pairing out;
  Pool golden = MakePool(golden_dump, rules, out.golden);
  Pool target = MakePool(target_dump, rules, out.target);
  if (!options.map_file.empty()) {
    RETURN_IF_ERROR(ApplyMap(options.map_file, golden, target, out));
  }

  const bool two_files =
      golden_dump.files.size() == 1 && target_dump.files.size() == 1;
  std::vector<Round> rounds;
  if (two_files) {
    rounds.push_back(
        {"same tensor in both files",
         [](const Pool& p, uint32_t i) { return p.Tensor(i).stored.name; }});
  }
  if (options.renames.empty()) rounds.push_back({"same path", PathKey});
  rounds.push_back(
      {"same name", [](const Pool& p, uint32_t i) { return p.names[i]; }});
  rounds.push_back({"same name but for / . :", [](const Pool& p, uint32_t i) {
                      return Normalised(p.names[i]);
                    }});
  rounds.push_back(
      {"same name without .index.timestamp", [](const Pool& p, uint32_t i) {
         return Normalised(WithoutTimestamp(p.names[i]));
       }});
  for (const Round& round : rounds) RunRound(round, golden, target, out);
  ListUnpaired(golden, target, "target", out.golden);
  ListUnpaired(target, golden, "golden", out.target);
  return out;
}

}  // namespace

extern constinit const Strategy kByName = {
    .name = "by-name",
    .summary =
        "equal paths, then equal names, then names that differ in / . : "
        "or in a timestamp",
    .fits = Fits,
    .pair = DoPair,
};

}  // namespace assay
