// Tensors of equal name belong together, or of one operator, port and index.
// Rounds from the strictest to the most forgiving; a round pairs a name only if
// it is unique on both sides.
#include "pairing/pair_by_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "pairing/map_file.h"
#include "pairing/name_keys.h"
#include "pairing/name_round.h"
#include "pairing/names.h"
#include "pairing/numbering.h"

namespace assay {
namespace {

// The names after --rename, each worked out once.
std::vector<std::string> RenamedNames(const Dump& dump,
                                      const NameRules& rules) {
  std::vector<std::string> renamed;
  std::vector<bool> known;
  for (const TensorInfo& tensor : dump.tensors) {
    if (tensor.name >= known.size()) {
      renamed.resize(2 * size_t{tensor.name} + 1);
      known.resize(renamed.size());
    }
    if (known[tensor.name]) continue;
    known[tensor.name] = true;
    renamed[tensor.name] = rules.Renamed(dump.names[tensor.name]);
  }
  return renamed;
}

Pool MakePool(const Dump& dump, const NameRules& rules, const Shared& shared,
              const PairOptions& options, std::vector<Unpaired>& skipped) {
  Pool pool{.dump = &dump, .rules = &rules, .shared = shared};
  pool.tensors_in_file.resize(dump.files.size());
  pool.free.resize(dump.tensors.size(), true);
  for (const TensorInfo& tensor : dump.tensors) {
    ++pool.tensors_in_file[tensor.file];
  }
  if (!options.renames.empty()) pool.renamed = RenamedNames(dump, rules);
  for (uint32_t i = 0; !options.only.empty() && i < pool.size(); ++i) {
    if (rules.Wanted(pool.NameOf(i))) continue;
    pool.free[i] = false;
    skipped.push_back({i, "does not match --only", true});
  }
  return pool;
}

// A file that cannot be read stands for all that the same file holds on the
// other side: each of these is an error row, none is lost among the unpaired.
using Join = std::function<void(uint32_t bad, uint32_t other)>;

void PairUnreadable(bool two_files, Pool& pool, Pool& other, const Join& join) {
  std::vector<uint32_t> bad;
  ForEachFree(pool, [&](uint32_t i) {
    if (pool.Tensor(i).error()) bad.push_back(i);
  });
  if (bad.empty()) return;
  std::unordered_map<std::string, std::vector<uint32_t>> held;
  ForEachFree(other, [&](uint32_t i) {
    held[two_files ? "" : FileName(other, i)].push_back(i);
  });
  for (const uint32_t i : bad) {
    if (!pool.free[i]) continue;
    const auto found = held.find(two_files ? "" : FileName(pool, i));
    if (found == held.end()) continue;
    for (const uint32_t j : found->second) join(i, j);
    held.erase(found);
  }
}

void PairAllUnreadable(bool two_files, Pool& golden, Pool& target,
                       Pairing& out) {
  const auto why =
      std::make_shared<const std::string>("the file that should hold it");
  PairUnreadable(two_files, target, golden, [&](uint32_t t, uint32_t g) {
    Take(g, t, why, golden, target, out);
  });
  PairUnreadable(two_files, golden, target, [&](uint32_t g, uint32_t t) {
    Take(g, t, why, golden, target, out);
  });
}

// The operators, ports and indices of a side, at any rank and step.
class Operators {
 public:
  explicit Operators(const Pool& pool) {
    if (!pool.shared.rank && !pool.shared.step) return;
    for (uint32_t i = 0; i < pool.size(); ++i) {
      if (const auto key = key_of_(pool, i)) keys_.Add(*key);
    }
  }
  // Whether it has one like tensor `i` of the other side.
  bool Has(const Pool& other, uint32_t i) const {
    if (keys_.size() == 0) return false;
    const auto key = key_of_(other, i);
    return key && keys_.Find(*key) != kNoNumber;
  }

 private:
  KeyMaker key_of_ = OperatorKeys();
  Numbering<Key, KeyHash> keys_;
};

std::string WhyUnpaired(const Pool& pool, uint32_t i, std::string_view side,
                        const Operators& operators, const NearMiss& near) {
  if (const auto known = pool.why.find(i); known != pool.why.end()) {
    return known->second;
  }
  if (operators.Has(pool, i)) {
    return fmt::format("the {} has it, but not at {}", side,
                       WhereText(pool, i));
  }
  std::string why = fmt::format("no {} tensor has this name", side);
  const std::string_view miss = near.Find(pool.NameOf(i));
  if (!miss.empty()) why += fmt::format("; nearest: {}", miss);
  return why;
}

// Lists what is left over, with the reason.
void ListUnpaired(const Pool& pool, const Pool& other, std::string_view side,
                  std::vector<Unpaired>& out) {
  if (std::ranges::find(pool.free, true) == pool.free.end()) return;
  std::vector<std::string_view> candidates;
  ForEachFree(other,
              [&](uint32_t i) { candidates.push_back(other.NameOf(i)); });
  const NearMiss near(std::move(candidates));
  const Operators operators(other);
  ForEachFree(pool, [&](uint32_t i) {
    out.push_back({i, WhyUnpaired(pool, i, side, operators, near)});
  });
}

// Free tensors by their name, before and after --rename.
std::unordered_map<std::string_view, uint32_t> NamesOf(const Pool& pool) {
  std::unordered_map<std::string_view, uint32_t> index;
  ForEachFree(pool, [&](uint32_t i) {
    index.emplace(pool.NameOf(i), i);
    index.emplace(pool.dump->NameOf(pool.Tensor(i)), i);
  });
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
    Take(g->second, t->second,
         std::make_shared<const std::string>(
             fmt::format("line {} of the map", line.number)),
         golden, target, out);
  }
  return Done{};
}

// Whether the name of its only file does not count: the user pointed at it, or
// its tensors have names of their own.
bool IsAnyFile(const Dump& dump) {
  return dump.one_file ||
         (!dump.tensors.empty() && !dump.tensors.front().stored.name.empty());
}

}  // namespace

Result<Pairing> PairByNames(const Dump& golden_dump, const Dump& target_dump,
                            const PairOptions& options) {
  ASSIGN_OR_RETURN(const NameRules rules,
                   NameRules::Make(options.only, options.renames));
  Pairing out;
  const Shared shared = SharedBy(golden_dump, target_dump);
  Pool golden = MakePool(golden_dump, rules, shared, options, out.golden);
  Pool target = MakePool(target_dump, rules, shared, options, out.target);
  if (!options.map_file.empty()) {
    RETURN_IF_ERROR(ApplyMap(options.map_file, golden, target, out));
  }

  const bool two_files =
      golden_dump.files.size() == 1 && target_dump.files.size() == 1;
  const auto rounds =
      NameRounds(two_files && IsAnyFile(golden_dump) && IsAnyFile(target_dump),
                 !options.renames.empty());
  for (const Round& round : rounds) RunRound(round, golden, target, out);
  PairAllUnreadable(two_files, golden, target, out);
  ListUnpaired(golden, target, "target", out.golden);
  ListUnpaired(target, golden, "golden", out.target);
  return out;
}

}  // namespace assay
