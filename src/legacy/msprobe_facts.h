#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "sources/msprobe_json.h"

namespace assay {

// What the dump.json of a source says of its tensors, beside what a dump keeps:
// nothing if it is no dump of msprobe.
class MsprobeFacts {
 public:
  static MsprobeFacts Read(const std::string& path);

  // By the name of the tensor or of its file; null: no such tensor.
  const MsprobeTensor* Find(std::string_view name, std::optional<int64_t> step,
                            std::optional<int64_t> rank) const;

 private:
  using Key = std::tuple<int64_t, int64_t, std::string>;  // step, rank, name
  std::map<Key, MsprobeTensor> tensors_;
};

}  // namespace assay
