#include "legacy/msprobe_facts.h"

#include <utility>

#include "sources/msprobe_tree.h"

namespace assay {

MsprobeFacts MsprobeFacts::Read(const std::string& path) {
  MsprobeFacts facts;
  const MsprobeTree tree = FindMsprobe(path);
  for (const MsprobeLeaf& leaf : tree.leaves) {
    for (const std::string& file : leaf.files) {
      MsprobeDump dump =
          ReadMsprobe(tree.root.empty() ? file : tree.root + "/" + file);
      for (MsprobeTensor& tensor : dump.tensors) {
        Key key(leaf.step, leaf.rank, tensor.Name());
        facts.tensors_.emplace(std::move(key), std::move(tensor));
      }
    }
  }
  return facts;
}

const MsprobeTensor* MsprobeFacts::Find(std::string_view name,
                                        std::optional<int64_t> step,
                                        std::optional<int64_t> rank) const {
  const auto found = tensors_.find(
      Key(step.value_or(-1), rank.value_or(-1), std::string(name)));
  return found == tensors_.end() ? nullptr : &found->second;
}

}  // namespace assay
