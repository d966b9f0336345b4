#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dump.h"
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
  std::vector<std::string> names;  // after --rename, per tensor
  std::vector<bool> free;
  std::vector<std::string> why;  // why not paired, once known

  const TensorInfo& Tensor(uint32_t i) const { return dump->tensors[i]; }
};

// Tensors with one key belong together; without a key, not in this round.
using Key = std::optional<std::string>;
struct Round {
  std::string why;
  std::function<Key(const Pool&, uint32_t)> key;
  bool newest = false;  // of several on a side, the newest stands for them
};

// From the strictest to the most forgiving. `renamed`: file names are not to be
// looked at. `two_files`: each side is one file.
std::vector<Round> NameRounds(bool two_files, bool renamed);

// The file that holds a tensor, as a tensor name: "w" for "w/bias" and for
// "w:output:0"; its own name otherwise. Rank and step are part of it.
std::string FileName(const Pool& pool, uint32_t i);

// Operator, port and index, wherever and whenever it ran; nothing if the dump
// does not say.
Key OperatorKey(const Pool& pool, uint32_t i);
// "rank 0, step 3", as far as both sides know.
std::string WhereText(const Pool& pool, uint32_t i);

}  // namespace assay
