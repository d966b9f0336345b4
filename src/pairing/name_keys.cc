#include "pairing/name_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "pairing/numbering.h"

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
  NameId last = kNoName;
  for (const TensorInfo& tensor : dump.tensors) {
    if (ids.empty() || tensor.id.graph != last) ids.insert(tensor.id.graph);
    last = tensor.id.graph;
  }
  std::set<std::string> graphs;
  for (const NameId id : ids) graphs.insert(WithoutTimes(dump.names[id]));
  return graphs;
}

bool Knows(const Dump& dump, int32_t TensorId::*what) {
  return std::ranges::any_of(
      dump.tensors, [&](const TensorInfo& t) { return t.id.*what >= 0; });
}

// Numbers of the texts that names, files and operators turn into, each worked
// out when it is first met. Both sides share the numbers.
class Texts {
 public:
  template <typename Make>
  uint32_t Of(const Pool& pool, uint32_t id, const Make& make) {
    std::vector<uint32_t>& known = known_[SideOf(pool)];
    if (id >= known.size()) {
      known.resize(std::max<size_t>(id + 1, 2 * known.size()), kNoNumber);
    }
    if (known[id] == kNoNumber) known[id] = make(numbers_);
    return known[id];
  }
  TextNumbers& numbers() { return numbers_; }

 private:
  size_t SideOf(const Pool& pool) {
    if (pools_[0] == nullptr) pools_[0] = &pool;
    return pools_[0] == &pool ? 0 : 1;
  }

  std::array<const Pool*, 2> pools_{};
  std::array<std::vector<uint32_t>, 2> known_;  // by NameId or file
  TextNumbers numbers_;
};

// A key with rank and step, where both sides know them.
Key With(uint32_t text, const Pool& pool, uint32_t i) {
  const TensorId& id = pool.Tensor(i).id;
  return {.text = text,
          .rank = pool.shared.rank ? id.rank : -1,
          .step = pool.shared.step ? id.step : -1};
}

// Relative path with suffix and member: the same file in two folders.
KeyMaker PathKeys() {
  return [files = std::make_shared<Texts>(),
          members = std::make_shared<TextNumbers>()](const Pool& pool,
                                                     uint32_t i) {
    const TensorInfo& t = pool.Tensor(i);
    const uint32_t path = files->Of(pool, t.file, [&](TextNumbers& numbers) {
      return numbers.Add(pool.dump->files[t.file]);
    });
    return std::optional(
        Key{.text = path, .more = members->Add(t.stored.name)});
  };
}

KeyMaker MemberKeys() {
  return [members = std::make_shared<TextNumbers>()](const Pool& pool,
                                                     uint32_t i) {
    return std::optional(
        With(members->Add(pool.Tensor(i).stored.name), pool, i));
  };
}

uint32_t NormalText(std::string_view name, TextNumbers& numbers) {
  return numbers.AddCopy(Normalised(name));
}

// Keys from what `change` makes of a tensor's name.
KeyMaker NameKeysBy(uint32_t (*change)(std::string_view, TextNumbers&)) {
  return [change, texts = std::make_shared<Texts>()](const Pool& pool,
                                                     uint32_t i) {
    const uint32_t text = texts->Of(
        pool, pool.Tensor(i).name,
        [&](TextNumbers& numbers) { return change(pool.NameOf(i), numbers); });
    return std::optional(With(text, pool, i));
  };
}

KeyMaker NameKeys() {
  return NameKeysBy([](std::string_view name, TextNumbers& numbers) {
    return numbers.Add(name);
  });
}

KeyMaker NormalKeys() { return NameKeysBy(NormalText); }

KeyMaker UntimedKeys() {
  return NameKeysBy([](std::string_view name, TextNumbers& numbers) {
    return NormalText(WithoutTimestamp(name), numbers);
  });
}

// A file with one tensor stands for it, whatever its format: conv1.npy,
// conv1.npz with one member, conv1.npy.safetensors as `convert` names it.
KeyMaker FileKeys() {
  return [texts = std::make_shared<Texts>()](const Pool& pool, uint32_t i) {
    const TensorInfo& t = pool.Tensor(i);
    TextNumbers& numbers = texts->numbers();
    const uint32_t text =
        pool.tensors_in_file[t.file] != 1
            ? NormalText(pool.NameOf(i), numbers)
            : NormalText(WithoutArraySuffixes(pool.dump->files[t.file]),
                         numbers);
    return std::optional(With(text, pool, i));
  };
}

KeyMaker WholeOperatorKeys() {
  return [operators = OperatorKeys(), graphs = std::make_shared<Texts>()](
             const Pool& pool, uint32_t i) {
    std::optional<Key> key = operators(pool, i);
    if (!key) return key;
    const TensorId& id = pool.Tensor(i).id;
    const Key where = With(0, pool, i);
    key->rank = where.rank;
    key->step = where.step;
    key->call = id.call;
    key->phase = static_cast<uint8_t>(id.phase);
    if (pool.shared.graph) {
      key->more = graphs->Of(pool, id.graph, [&](TextNumbers& numbers) {
        return numbers.AddCopy(WithoutTimes(pool.dump->names[id.graph]));
      });
    }
    return key;
  };
}

}  // namespace

uint64_t KeyHash::operator()(const Key& key) const {
  uint64_t hash = 0;
  const auto add = [&](uint64_t high, uint64_t low) {
    hash ^= high << 32 | (low & 0xFFFFFFFFu);
    hash *= 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
  };
  const auto bits = [](int32_t x) { return static_cast<uint32_t>(x); };
  add(key.text, key.more);
  add(bits(key.rank), bits(key.step));
  add(bits(key.index), bits(key.call));
  add(key.port, key.phase);
  return hash;
}

std::string_view Pool::NameOf(uint32_t i) const {
  const NameId id = Tensor(i).name;
  return renamed.empty() ? dump->names[id] : renamed[id];
}

Shared SharedBy(const Dump& golden, const Dump& target) {
  Shared shared{
      .rank = Knows(golden, &TensorId::rank) && Knows(target, &TensorId::rank),
      .step = Knows(golden, &TensorId::step) && Knows(target, &TensorId::step)};
  const auto graphs = GraphsOf(golden);
  shared.graph = graphs.size() > 1 && graphs == GraphsOf(target);
  return shared;
}

namespace {
TextRef Text(const char* why) {
  return std::make_shared<const std::string>(why);
}
}  // namespace

std::vector<Round> NameRounds(bool two_files, bool renamed) {
  std::vector<Round> rounds;
  if (two_files)
    rounds.push_back({Text("same tensor in both files"), MemberKeys});
  if (!renamed) rounds.push_back({Text("same path"), PathKeys});
  rounds.push_back({Text("same name"), NameKeys});
  rounds.push_back({Text("same name but for / . :"), NormalKeys});
  if (!renamed) {
    rounds.push_back({Text("same file name, one tensor in each"), FileKeys});
  }
  rounds.push_back(
      {Text("same operator, port and index"), WholeOperatorKeys, true});
  rounds.push_back({Text("same name without .index.timestamp"), UntimedKeys});
  return rounds;
}

std::string FileName(const Pool& pool, uint32_t i) {
  std::string_view name = pool.NameOf(i);
  const std::string_view member = pool.Tensor(i).stored.name;
  const size_t end = name.size() - std::min(name.size(), member.size());
  const bool is_member = !member.empty() && end > 0 && name.ends_with(member) &&
                         (name[end - 1] == '/' || name[end - 1] == ':');
  if (is_member) name = name.substr(0, end - 1);
  const Key where = With(0, pool, i);
  return fmt::format("{}\n{}\n{}", name, where.rank, where.step);
}

KeyMaker OperatorKeys() {
  return [texts = std::make_shared<Texts>()](const Pool& pool,
                                             uint32_t i) -> std::optional<Key> {
    const TensorId& id = pool.Tensor(i).id;
    if (id.port == Port::kNone || id.index < 0) return std::nullopt;
    const uint32_t op = texts->Of(pool, id.op, [&](TextNumbers& numbers) {
      return NormalText(pool.rules->Renamed(pool.dump->names[id.op]), numbers);
    });
    return Key{
        .text = op, .index = id.index, .port = static_cast<uint8_t>(id.port)};
  };
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
