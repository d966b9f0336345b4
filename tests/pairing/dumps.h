#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pairing/strategy.h"

namespace assay {

// A tensor by file and member: "w.npz" "bias" is called "w/bias".
struct Made {
  std::string file, member{};
  bool damaged = false;
};

inline Dump MakeDump(const std::vector<Made>& tensors) {
  Dump dump;
  for (const Made& made : tensors) {
    auto file = std::find(dump.files.begin(), dump.files.end(), made.file);
    if (file == dump.files.end()) {
      file = dump.files.insert(file, made.file);
    }
    std::string name = made.file.substr(0, made.file.rfind('.'));
    if (!made.member.empty()) name += "/" + made.member;
    TensorInfo& tensor = dump.tensors.emplace_back();
    tensor.file = static_cast<uint32_t>(file - dump.files.begin());
    tensor.name = dump.names.Intern(name);
    tensor.stored.name = made.member;
    if (made.damaged) {
      tensor.stored.error = std::make_shared<const Error>(Corrupt("cut off"));
    }
  }
  return dump;
}

// "a=b (why)" for each pair, then what is left: "-golden: why", "+target: why".
inline std::vector<std::string> Told(const Dump& golden, const Dump& target,
                                     const PairOptions& options = {}) {
  const auto pairing = PairDumps(golden, target, options);
  if (!pairing) return {"error: " + pairing.error().what};
  std::vector<std::string> lines;
  const auto name = [](const Dump& dump, uint32_t i) {
    return dump.NameOf(dump.tensors[i]);
  };
  for (const Pair& pair : pairing->pairs) {
    lines.push_back(fmt::format("{}={} ({})", name(golden, pair.golden.tensor),
                                name(target, pair.target.tensor), *pair.why));
  }
  for (const Unpaired& u : pairing->golden) {
    lines.push_back(fmt::format("-{}: {}", name(golden, u.tensor), u.why));
  }
  for (const Unpaired& u : pairing->target) {
    lines.push_back(fmt::format("+{}: {}", name(target, u.tensor), u.why));
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace assay
