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
  std::vector<uint32_t> tensors_in_file;
  std::vector<std::string> names;  // after --rename, per tensor
  std::vector<bool> free;
  std::vector<std::string> why;  // why not paired, once known

  const TensorInfo& Tensor(uint32_t i) const { return dump->tensors[i]; }
};

Pool MakePool(const Dump& dump, const NameRules& rules,
              std::vector<Unpaired>& skipped) {
  Pool pool{.dump = &dump};
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

struct Round {
  std::string why;
  std::function<std::string(const Pool&, uint32_t)> key;
};

// Relative path with suffix and member: the same file in two folders.
std::string PathKey(const Pool& pool, uint32_t i) {
  const TensorInfo& t = pool.Tensor(i);
  return pool.dump->files[t.file] + '\n' + t.stored.name;
}

// A file with one tensor stands for it, whatever its format: conv1.npy,
// conv1.npz with one member, conv1.npy.safetensors as `convert` names it.
std::string FileKey(const Pool& pool, uint32_t i) {
  const TensorInfo& t = pool.Tensor(i);
  if (pool.tensors_in_file[t.file] != 1) return Normalised(pool.names[i]);
  return Normalised(WithoutArraySuffixes(pool.dump->files[t.file]));
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

// "w" for a member "w/bias" of a file; for other tensors their name.
std::string_view FileName(const Pool& pool, uint32_t i) {
  const std::string_view name = pool.names[i];
  const std::string member = "/" + pool.Tensor(i).stored.name;
  if (member.size() == 1 || !name.ends_with(member)) return name;
  return name.substr(0, name.size() - member.size());
}

// A file that cannot be read stands for all that the same file holds on the
// other side: each of these is an error row, none is lost among the unpaired.
using Join = std::function<void(uint32_t bad, uint32_t other)>;

void PairUnreadable(bool two_files, Pool& pool, Pool& other, const Join& join) {
  std::unordered_map<std::string_view, std::vector<uint32_t>> held;
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
  if (options.renames.empty()) {
    rounds.push_back({"same file name, one tensor in each", FileKey});
  }
  rounds.push_back(
      {"same name without .index.timestamp", [](const Pool& p, uint32_t i) {
         return Normalised(WithoutTimestamp(p.names[i]));
       }});
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
        "equal paths, then equal names, then names that differ in / . : "
        "or in a timestamp",
    .fits = Fits,
    .pair = DoPair,
};

}  // namespace assay
