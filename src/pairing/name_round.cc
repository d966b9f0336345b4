#include "pairing/name_round.h"

#include <fmt/format.h>

#include <algorithm>

#include "pairing/numbering.h"

namespace assay {
namespace {

// The free tensors of each key, in their order. Mostly there is one.
class Index {
 public:
  explicit Index(size_t keys) : first_(keys, kNoNumber) {}

  void Add(uint32_t key, uint32_t tensor) {
    if (first_[key] == kNoNumber) {
      first_[key] = tensor;
    } else {
      more_[key].push_back(tensor);
    }
  }
  uint32_t First(uint32_t key) const { return first_[key]; }
  std::vector<uint32_t> All(uint32_t key) const {
    std::vector<uint32_t> all = {first_[key]};
    if (const auto found = more_.find(key); found != more_.end()) {
      all.insert(all.end(), found->second.begin(), found->second.end());
    }
    return all;
  }

 private:
  std::vector<uint32_t> first_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> more_;
};

void SayAmbiguous(const std::vector<uint32_t>& mine, size_t mine_count,
                  size_t other_count, Pool& pool) {
  for (const uint32_t i : mine) {
    pool.why[i] = fmt::format(
        "ambiguous: {} golden and {} target tensors share this name",
        mine_count, other_count);
  }
}

// The one of several that was dumped last; nothing if times do not tell.
std::optional<uint32_t> Newest(const std::vector<uint32_t>& all,
                               const Pool& pool) {
  const auto time = [&](uint32_t i) {
    return pool.dump->TimeOf(pool.Tensor(i));
  };
  if (all.size() == 1) return all.front();
  if (time(std::ranges::min(all, {}, time)) < 0) return std::nullopt;
  const uint32_t last = *std::ranges::max_element(all, {}, time);
  if (std::ranges::count(all, time(last), time) > 1) return std::nullopt;
  return last;
}

void SayOlder(const std::vector<uint32_t>& all, uint32_t newest, Pool& pool) {
  for (const uint32_t i : all) {
    if (i == newest) continue;
    pool.why[i] = fmt::format("an older dump of the same tensor; {} is newer",
                              pool.NameOf(newest));
  }
}

// All that one key has on both sides: a pair if one of each is left.
void PairKey(const Round& round, const std::vector<uint32_t>& mine,
             const std::vector<uint32_t>& theirs, Pool& golden, Pool& target,
             Pairing& out) {
  const bool unique = mine.size() == 1 && theirs.size() == 1;
  const auto g = Newest(mine, golden), t = Newest(theirs, target);
  if ((unique || round.newest) && g && t) {
    SayOlder(mine, *g, golden);
    SayOlder(theirs, *t, target);
    return Take(*g, *t, round.why, golden, target, out);
  }
  SayAmbiguous(mine, mine.size(), theirs.size(), golden);
  SayAmbiguous(theirs, mine.size(), theirs.size(), target);
}

}  // namespace

void Take(uint32_t g, uint32_t t, TextRef why, Pool& golden, Pool& target,
          Pairing& out) {
  golden.free[g] = target.free[t] = false;
  out.pairs.push_back({.golden = {g}, .target = {t}, .why = std::move(why)});
}

void RunRound(const Round& round, Pool& golden, Pool& target, Pairing& out) {
  if (std::ranges::find(golden.free, true) == golden.free.end()) return;
  const KeyMaker key_of = round.keys();
  const auto count = std::ranges::count(target.free, true);
  Numbering<Key, KeyHash> keys;
  keys.Reserve(static_cast<size_t>(count));
  std::vector<uint32_t> numbers;  // of the target's free tensors
  numbers.reserve(static_cast<size_t>(count));
  ForEachFree(target, [&](uint32_t i) {
    const auto key = key_of(target, i);
    numbers.push_back(key ? keys.Add(*key) : kNoNumber);
  });
  if (keys.size() == 0) return;
  Index theirs(keys.size()), mine(keys.size());
  auto number = numbers.begin();
  ForEachFree(target, [&](uint32_t i) {
    if (*number != kNoNumber) theirs.Add(*number, i);
    ++number;
  });
  std::vector<uint32_t>& found = numbers;  // keys of both, by golden's order
  found.clear();
  ForEachFree(golden, [&](uint32_t i) {
    const auto key = key_of(golden, i);
    const uint32_t k = key ? keys.Find(*key) : kNoNumber;
    if (k == kNoNumber) return;
    mine.Add(k, i);
    if (mine.First(k) == i) found.push_back(k);
  });
  keys = {};  // the pairs take its room
  out.pairs.reserve(out.pairs.size() + found.size());
  for (const uint32_t k : found) {
    PairKey(round, mine.All(k), theirs.All(k), golden, target, out);
  }
}

}  // namespace assay
