#include "codecs/safetensors_header.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace assay {
namespace {

using Json = nlohmann::json;

constexpr SafetensorsType kTypes[] = {
    {"F64", DType::kF64},
    {"F32", DType::kF32},
    {"F16", DType::kF16},
    {"BF16", DType::kBF16},
    {"F8_E4M3", DType::kF8E4M3},
    {"F8_E5M2", DType::kF8E5M2},
    {"F8_E8M0", DType::kF8E8M0},
    {"I64", DType::kI64},
    {"I32", DType::kI32},
    {"I16", DType::kI16},
    {"I8", DType::kI8},
    {"U64", DType::kU64},
    {"U32", DType::kU32},
    {"U16", DType::kU16},
    {"U8", DType::kU8},
    {"BOOL", DType::kBool},
    {"C64", DType::kC64},
    {"F4", DType::kOpaque},
    {"F6_E2M3", DType::kOpaque},
    {"F6_E3M2", DType::kOpaque},
    {"F8_E4M3FNUZ", DType::kOpaque},
    {"F8_E5M2FNUZ", DType::kOpaque},
};

constexpr size_t kDeepest = 16;
constexpr size_t kMostDims = 255;

// Follows the header event by event: no tree stands in memory, and a name that
// occurs twice is seen. Depth 1 has the names, depth 2 the fields of a tensor.
class HeaderEvents : public nlohmann::json_sax<Json> {
 public:
  std::vector<StoredTensor> tensors;
  std::optional<Error> error;

  bool start_object(size_t) override {
    if (!Enter()) return false;
    if (depth_ == 2) {
      metadata_ = name_ == "__metadata__";
      tensor_ = {.name = name_};
      has_dtype_ = has_shape_ = has_offsets_ = false;
    }
    return depth_ <= 2 || metadata_ || Fail("is nested too deeply");
  }

  bool key(std::string& word) override {
    if (depth_ == 1) name_ = word;
    if (depth_ == 2) field_ = word;
    const bool twice = (field_ == "dtype" && has_dtype_) ||
                       (field_ == "shape" && has_shape_) ||
                       (field_ == "data_offsets" && has_offsets_);
    if (depth_ != 2 || metadata_ || !twice) return true;
    return Fail(fmt::format("has '{}' twice", field_));
  }

  bool end_object() override {
    --depth_;
    if (depth_ != 1) return true;
    if (metadata_) return metadata_ = false, true;
    if (!has_dtype_) return Fail("has no dtype");
    if (!has_shape_) return Fail("has no shape");
    if (!has_offsets_) return Fail("has no data_offsets");
    tensors.push_back(std::move(tensor_));
    return true;
  }

  bool start_array(size_t) override {
    if (!Enter()) return false;
    numbers_.clear();
    if (metadata_) return true;
    const bool known = field_ == "shape" || field_ == "data_offsets";
    return (depth_ == 3 && known) || Unexpected("a list");
  }

  bool end_array() override {
    --depth_;
    if (metadata_) return true;
    return field_ == "shape" ? SetShape() : SetOffsets();
  }

  bool string(std::string& word) override {
    if (metadata_) return true;
    if (depth_ != 2 || field_ != "dtype") return Unexpected("a string");
    const SafetensorsType* type = FindSafetensorsType(word);
    if (!type) return Fail(fmt::format("has an unknown dtype '{}'", word));
    tensor_.dtype = type->dtype;
    has_dtype_ = true;
    return true;
  }

  bool number_unsigned(uint64_t value) override {
    if (metadata_) return true;
    if (depth_ != 3) return Unexpected("a number");
    if (numbers_.size() == kMostDims) return Fail("has too many dimensions");
    if (value > INT64_MAX) return Fail(fmt::format("has {} in it", value));
    numbers_.push_back(static_cast<int64_t>(value));
    return true;
  }

  bool number_integer(int64_t value) override {
    return metadata_ || Fail(fmt::format("has {} in it", value));
  }
  bool number_float(double, const std::string& text) override {
    return metadata_ || Fail(fmt::format("has {} in it", text));
  }
  bool null() override { return metadata_ || Unexpected("null"); }
  bool boolean(bool) override {
    return metadata_ || Unexpected("true or false");
  }
  bool binary(Json::binary_t&) override { return Unexpected("bytes"); }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    error = Corrupt("the header is not JSON");
    error->offset = position == 0 ? 0 : position - 1;
    return false;
  }

 private:
  bool Enter() { return ++depth_ <= kDeepest || Fail("is nested too deeply"); }

  bool Fail(std::string_view why) {
    error = name_.empty() ? Corrupt("the header {}", why)
                          : Corrupt("tensor '{}' {}", name_, why).Of(name_);
    return false;
  }
  bool Unexpected(std::string_view what) {
    if (depth_ < 2) return Fail(fmt::format("is {}", what));
    return Fail(fmt::format("has {} in '{}'", what, field_));
  }

  bool SetShape() {
    tensor_.shape.assign(numbers_.begin(), numbers_.end());
    return has_shape_ = true;
  }
  bool SetOffsets() {
    if (numbers_.size() != 2 || numbers_[0] > numbers_[1]) {
      return Fail("has data_offsets that are no range");
    }
    const auto begin = static_cast<uint64_t>(numbers_[0]);
    tensor_.extent = {.offset = begin,
                      .length = static_cast<uint64_t>(numbers_[1]) - begin};
    return has_offsets_ = true;
  }

  size_t depth_ = 0;
  bool metadata_ = false;
  std::string name_, field_;
  StoredTensor tensor_;
  bool has_dtype_ = false, has_shape_ = false, has_offsets_ = false;
  std::vector<int64_t> numbers_;
};

}  // namespace

const SafetensorsType* FindSafetensorsType(std::string_view name) {
  const auto* type = std::ranges::find(kTypes, name, &SafetensorsType::name);
  return type == std::end(kTypes) ? nullptr : type;
}

std::string_view SafetensorsName(DType dtype) {
  const auto* type = std::ranges::find(kTypes, dtype, &SafetensorsType::dtype);
  return type == std::end(kTypes) || dtype == DType::kOpaque ? "" : type->name;
}

Result<std::vector<StoredTensor>> ParseSafetensorsHeader(std::string_view json,
                                                         std::string_view path,
                                                         uint64_t base) {
  HeaderEvents events;
  const bool done = Json::sax_parse(json.begin(), json.end(), &events);
  if (done && !events.error) return std::move(events.tensors);
  Error error = events.error.value_or(Corrupt("the header is not JSON"));
  const uint64_t at = base + error.offset.value_or(0);
  return std::move(error).At(path, at).Hint(
      "the header is damaged; write the file again");
}

}  // namespace assay
