#include "pairing/name_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace assay {
namespace {

// A graph's name often has the time of the run in it.
std::string WithoutTimes(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr size_t kShortestTime = 10;
  std::string text;
  while (!name.empty()) {
    const size_t begin = std::min(name.find_first_of(kDigits), name.size());
    const size_t end =
        std::min(name.find_first_not_of(kDigits, begin), name.size());
    text += name.substr(0, end - begin < kShortestTime ? end : begin);
    name.remove_prefix(end);
  }
  return text;
}

std::set<std::string> GraphsOf(const Dump& dump) {
  std::set<NameId> ids;
  for (const TensorInfo& tensor : dump.tensors) ids.insert(tensor.id.graph);
  std::set<std::string> graphs;
  for (const NameId id : ids) graphs.insert(WithoutTimes(dump.names[id]));
  return graphs;
}

bool Knows(const Dump& dump, int32_t TensorId::*what) {
  return std::ranges::any_of(
      dump.tensors, [&](const TensorInfo& t) { return t.id.*what >= 0; });
}

// Appends rank and step, where both sides know them.
std::string With(std::string key, const Pool& pool, uint32_t i) {
  const TensorId& id = pool.Tensor(i).id;
  if (pool.shared.rank)
    fmt::format_to(std::back_inserter(key), "\nr{}", id.rank);
  if (pool.shared.step)
    fmt::format_to(std::back_inserter(key), "\ns{}", id.step);
  return key;
}

// Relative path with suffix and member: the same file in two folders.
Key PathKey(const Pool& pool, uint32_t i) {
  const TensorInfo& t = pool.Tensor(i);
  return pool.dump->files[t.file] + '\n' + t.stored.name;
}

Key MemberKey(const Pool& pool, uint32_t i) {
  return With(pool.Tensor(i).stored.name, pool, i);
}

Key NameKey(const Pool& pool, uint32_t i) {
  return With(pool.names[i], pool, i);
}

Key NormalKey(const Pool& pool, uint32_t i) {
  return With(Normalised(pool.names[i]), pool, i);
}

// A file with one tensor stands for it, whatever its format: conv1.npy,
// conv1.npz with one member, conv1.npy.safetensors as `convert` names it.
Key FileKey(const Pool& pool, uint32_t i) {
  const TensorInfo& t = pool.Tensor(i);
  if (pool.tensors_in_file[t.file] != 1) return NormalKey(pool, i);
  return With(Normalised(WithoutArraySuffixes(pool.dump->files[t.file])), pool,
              i);
}

Key WholeOperatorKey(const Pool& pool, uint32_t i) {
  const TensorId& id = pool.Tensor(i).id;
  Key key = OperatorKey(pool, i);
  if (!key) return key;
  fmt::format_to(std::back_inserter(*key), "\nc{}\n{}", id.call,
                 Name(id.phase));
  if (pool.shared.graph)
    *key += '\n' + WithoutTimes(pool.dump->names[id.graph]);
  return With(*std::move(key), pool, i);
}

Key UntimedKey(const Pool& pool, uint32_t i) {
  return With(Normalised(WithoutTimestamp(pool.names[i])), pool, i);
}

}  // namespace

Shared SharedBy(const Dump& golden, const Dump& target) {
  Shared shared{
      .rank = Knows(golden, &TensorId::rank) && Knows(target, &TensorId::rank),
      .step = Knows(golden, &TensorId::step) && Knows(target, &TensorId::step)};
  const auto graphs = GraphsOf(golden);
  shared.graph = graphs.size() > 1 && graphs == GraphsOf(target);
  return shared;
}

std::vector<Round> NameRounds(bool two_files, bool renamed) {
  std::vector<Round> rounds;
  if (two_files) rounds.push_back({"same tensor in both files", MemberKey});
  if (!renamed) rounds.push_back({"same path", PathKey});
  rounds.push_back({"same name", NameKey});
  rounds.push_back({"same name but for / . :", NormalKey});
  if (!renamed) {
    rounds.push_back({"same file name, one tensor in each", FileKey});
  }
  rounds.push_back({"same operator, port and index", WholeOperatorKey, true});
  rounds.push_back({"same name without .index.timestamp", UntimedKey});
  return rounds;
}

std::string FileName(const Pool& pool, uint32_t i) {
  std::string_view name = pool.names[i];
  const std::string_view member = pool.Tensor(i).stored.name;
  const size_t end = name.size() - std::min(name.size(), member.size());
  const bool is_member = !member.empty() && end > 0 && name.ends_with(member) &&
                         (name[end - 1] == '/' || name[end - 1] == ':');
  if (is_member) name = name.substr(0, end - 1);
  return With(std::string(name), pool, i);
}

Key OperatorKey(const Pool& pool, uint32_t i) {
  const TensorId& id = pool.Tensor(i).id;
  if (id.port == Port::kNone || id.index < 0) return std::nullopt;
  const std::string op = pool.rules->Renamed(pool.dump->names[id.op]);
  return fmt::format("{}\n{}\n{}", Normalised(op), Name(id.port), id.index);
}

std::string WhereText(const Pool& pool, uint32_t i) {
  const TensorId& id = pool.Tensor(i).id;
  std::string text;
  if (pool.shared.rank) text = fmt::format("rank {}", id.rank);
  if (pool.shared.step) {
    text += fmt::format("{}step {}", text.empty() ? "" : ", ", id.step);
  }
  return text;
}

}  // namespace assay
