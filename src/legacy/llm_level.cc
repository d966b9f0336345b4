#include "legacy/llm_level.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/text.h"
#include "sources/digits.h"

namespace assay {
namespace {

using Step = std::pair<int64_t, std::string_view>;  // its place and its type
using Place = std::vector<Step>;

constexpr size_t kFewestParts = 11;  // of a model that has layers

std::string_view OperatorOf(const LlmPair& pair) {
  return pair.my.dump->names[pair.my.tensor->id.op];
}

Place PlaceOf(std::string_view op) {
  Place place;
  for (const std::string_view part : Split(op, '/')) {
    const size_t bar = part.find('_');
    const auto number =
        bar == part.npos ? std::nullopt : ParseSmall(part.substr(0, bar));
    if (number) {
      place.emplace_back(*number, part.substr(bar + 1));
    } else {
      place.emplace_back(-1, part);
    }
  }
  return place;
}

// The operators as a tree; those above others are there without a dump, too.
class Levels {
 public:
  explicit Levels(const std::vector<LlmPair>& pairs) {
    for (const LlmPair& pair : pairs) {
      Place place = PlaceOf(OperatorOf(pair));
      while (!place.empty()) {
        const Step last = place.back();
        place.pop_back();
        children_[place].insert(last);
      }
    }
    layer_ = LayerType({});
  }

  bool IsOf(std::string_view level, std::string_view op) const {
    if (level == "api") return true;
    if (layer_.empty()) return IsOfSmall(level, op);
    const Place place = PlaceOf(op);
    const auto layer = std::ranges::find(place, layer_, &Step::second);
    const auto below = place.end() - layer;
    return level == "layer" ? below == 1 : below == 2 && IsModule(op);
  }

 private:
  // The type that more than a handful of many parts have.
  std::string_view LayerType(const Place& place) const {
    const auto found = children_.find(place);
    if (found == children_.end()) return "";
    const std::set<Step>& parts = found->second;
    if (parts.size() >= kFewestParts) return MostFrequent(parts);
    for (const Step& part : parts) {
      Place below = place;
      below.push_back(part);
      const std::string_view type = LayerType(below);
      if (!type.empty()) return type;
    }
    return "";
  }

  static std::string_view MostFrequent(const std::set<Step>& parts) {
    std::map<std::string_view, size_t> counts;
    for (const Step& part : parts) ++counts[part.second];
    std::string_view most;
    for (const Step& part : parts) {  // of equals the first
      if (most.empty() || counts[part.second] > counts[most]) {
        most = part.second;
      }
    }
    return counts[most] >= kFewestParts / 2 + 1 ? most : "";
  }

  static bool IsModule(std::string_view op) {
    constexpr std::array<std::string_view, 5> kWords = {
        "Attention", "Mlp", "mlp", "self_attn", "self_attention"};
    return std::ranges::any_of(kWords, [&](std::string_view word) {
      return op.find(word) != op.npos;
    });
  }

  // The original finds no layers in small models. Here those right below the
  // model are some, and what has others below it is a module.
  bool IsOfSmall(std::string_view level, std::string_view op) const {
    const Place place = PlaceOf(op);
    if (place.size() == 2) return level == "layer";
    return level == "module" && children_.contains(place);
  }

  std::map<Place, std::set<Step>> children_;
  std::string_view layer_;  // empty: too small a model
};

}  // namespace

std::vector<LlmPair> PairsOfLevel(const std::vector<LlmPair>& pairs,
                                  std::string_view level, int64_t& next_id) {
  const Levels levels(pairs);
  std::vector<LlmPair> kept;
  for (const LlmPair& pair : pairs) {
    const bool output = pair.my.tensor->id.port == Port::kOutput;
    if (output && levels.IsOf(level, OperatorOf(pair))) kept.push_back(pair);
  }
  std::ranges::stable_sort(kept, {}, [](const LlmPair& pair) {
    return std::tuple(pair.token, PlaceOf(OperatorOf(pair)),
                      std::string_view(pair.my_path));
  });
  for (LlmPair& pair : kept) pair.id = next_id++;
  return kept;
}

}  // namespace assay
