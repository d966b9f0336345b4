#include "pairing/output_index.h"

#include <numeric>

namespace assay {

size_t OutputIndex::Hash::operator()(const Key& key) const {
  uint64_t h = key.op;
  for (const int32_t part : {key.index, key.rank, key.step}) {
    h = (h ^ static_cast<uint32_t>(part)) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  return h;
}

OutputIndex::OutputIndex(const Dump& dump, const NameRules& rules,
                         Shared shared)
    : shared_(shared), rules_(rules), newest_(dump.tensors.size()) {
  std::iota(newest_.begin(), newest_.end(), 0);
  std::unordered_map<NameId, uint32_t> known;  // an operator has many tensors
  for (uint32_t i = 0; i < dump.tensors.size(); ++i) {
    const TensorId& id = dump.tensors[i].id;
    if (id.port != Port::kOutput || id.index < 0) continue;
    const auto [op, is_new] = known.emplace(id.op, 0);
    if (is_new) {
      std::string name = Normalised(rules.Renamed(dump.names[id.op]));
      op->second =
          ops_.emplace(std::move(name), static_cast<uint32_t>(ops_.size()))
              .first->second;
    }
    const auto [found, first] =
        tensors_.emplace(KeyOf(op->second, id.index, id), i);
    if (first) continue;
    const bool newer =
        dump.TimeOf(dump.tensors[i]) > dump.TimeOf(dump.tensors[found->second]);
    newest_[newer ? found->second : i] = newer ? i : found->second;
    if (newer) found->second = i;
  }
}

OutputIndex::Key OutputIndex::KeyOf(uint32_t op, int32_t index,
                                    const TensorId& at) const {
  return {op, index, shared_.rank ? at.rank : -1, shared_.step ? at.step : -1};
}

std::optional<uint32_t> OutputIndex::Find(std::string_view op, int32_t index,
                                          const TensorId& at) const {
  const auto name = ops_.find(Normalised(rules_.Renamed(op)));
  if (name == ops_.end()) return std::nullopt;
  const auto found = tensors_.find(KeyOf(name->second, index, at));
  if (found == tensors_.end()) return std::nullopt;
  return found->second;
}

bool OutputIndex::Has(std::string_view op) const {
  return ops_.contains(Normalised(rules_.Renamed(op)));
}

}  // namespace assay
