#include "codecs/ascend_slices.h"

#include <nlohmann/json.hpp>

namespace assay {
namespace {

using Json = nlohmann::json;

// What a tree of it takes in memory stays bearable.
constexpr size_t kLongest = 16 << 20;

const Json* Find(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

// As Python takes it.
bool IsTrue(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return value != "";
  return value.is_number() && value != 0;
}

// Of a number that is not negative.
std::optional<int64_t> Whole(const Json* value) {
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  const auto number = value->get<int64_t>();
  return number < 0 ? std::nullopt : std::optional(number);
}

// [{"lower": 0, "higher": 3}, ...], one for each dimension.
std::optional<Shape> SliceShape(const Json& ranges) {
  if (!ranges.is_array()) return std::nullopt;
  Shape shape;
  for (const Json& range : ranges) {
    if (!range.is_object()) return std::nullopt;
    const auto lower = Whole(Find(range, "lower"));
    const auto higher = Whole(Find(range, "higher"));
    if (!lower || !higher || *lower > *higher) return std::nullopt;
    shape.push_back(*higher - *lower);
  }
  return shape;
}

// [thread][tensor][dimension]; all tensors of the thread or none.
std::vector<Shape> SliceShapes(const Json* slices, uint64_t thread) {
  if (slices == nullptr || !slices->is_array() || thread >= slices->size()) {
    return {};
  }
  const Json& tensors = (*slices)[thread];
  if (!tensors.is_array()) return {};
  std::vector<Shape> shapes;
  for (const Json& tensor : tensors) {
    auto shape = SliceShape(tensor);
    if (!shape) return {};
    shapes.push_back(*std::move(shape));
  }
  return shapes;
}

std::vector<std::vector<int64_t>> Cuts(const Json* list) {
  if (list == nullptr || !list->is_array()) return {};
  std::vector<std::vector<int64_t>> cuts;
  for (const Json& tensor : *list) {
    std::vector<int64_t>& factors = cuts.emplace_back();
    if (!tensor.is_array()) return {};
    for (const Json& factor : tensor) {
      // Whatever is not 1 is a cut, -1 too.
      factors.push_back(factor == 1 ? 1 : Whole(&factor).value_or(0));
    }
  }
  return cuts;
}

}  // namespace

std::optional<AscendSlices> ParseAscendSlices(std::string_view json,
                                              std::optional<uint64_t> thread) {
  if (json.size() > kLongest) return std::nullopt;
  const Json text = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!text.is_object()) return std::nullopt;
  const Json* mode = Find(text, "threadMode");
  if (mode == nullptr) return std::nullopt;
  AscendSlices slices{
      .automatic = IsTrue(*mode),
      .threads = Whole(Find(text, "slice_instance_num")).value_or(0),
      .output_cuts = Cuts(Find(text, "outputCutList"))};
  if (slices.automatic && thread) {
    slices.inputs = SliceShapes(Find(text, "input_tensor_slice"), *thread);
    slices.outputs = SliceShapes(Find(text, "output_tensor_slice"), *thread);
  }
  return slices;
}

}  // namespace assay
