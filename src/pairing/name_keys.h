#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/dump.h"
#include "core/pairing.h"
#include "pairing/names.h"

namespace assay {

// What both dumps say of their tensors: only that can tell two of one name
// apart.
struct Shared {
  bool rank = false, step = false, graph = false;
};
Shared SharedBy(const Dump& golden, const Dump& target);

// The tensors of one side that are still without a partner.
struct Pool {
  const Dump* dump = nullptr;
  const NameRules* rules = nullptr;
  Shared shared;
  std::vector<uint32_t> tensors_in_file;
  std::vector<std::string> renamed;  // by NameId; empty without --rename
  std::vector<bool> free;
  std::unordered_map<uint32_t, std::string> why;  // why not paired, once known

  const TensorInfo& Tensor(uint32_t i) const { return dump->tensors[i]; }
  uint32_t size() const { return static_cast<uint32_t>(free.size()); }
  std::string_view NameOf(uint32_t i) const;  // after --rename
};

// Tensors with one key belong together. Texts are numbers here: the work on
// them is done once per name, not per tensor.
struct Key {
  uint32_t text = 0, more = 0;
  int32_t index = -1, rank = -1, step = -1, call = 0;
  uint8_t port = 0, phase = 0;

  bool operator==(const Key&) const = default;
};
struct KeyHash {
  uint64_t operator()(const Key& key) const;
};

// The keys of one round; nothing: the tensor is not in this round. Only keys
// of one KeyMaker can be compared.
using KeyMaker = std::function<std::optional<Key>(const Pool&, uint32_t)>;
struct Round {
  TextRef why;
  KeyMaker (*keys)();
  bool newest = false;  // of several on a side, the newest stands for them
};

// From the strictest to the most forgiving. `renamed`: file names are not to be
// looked at. `two_files`: each side is one file, whatever it is called.
std::vector<Round> NameRounds(bool two_files, bool renamed);

// The file that holds a tensor, as a tensor name: "w" for "w/bias" and for
// "w:output:0"; its own name otherwise. Rank and step are part of it.
std::string FileName(const Pool& pool, uint32_t i);

// Operator, port and index, wherever and whenever it ran; nothing if the dump
// does not say.
KeyMaker OperatorKeys();
// "rank 0, step 3", as far as both sides know.
std::string WhereText(const Pool& pool, uint32_t i);

}  // namespace assay
