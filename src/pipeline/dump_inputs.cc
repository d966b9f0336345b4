#include "pipeline/dump_inputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "base/parse_number.h"
#include "base/text.h"
#include "codecs/codec.h"
#include "codecs/onnx_type.h"
#include "executors/executor.h"
#include "executors/tensor_file.h"
#include "pipeline/dump_taps.h"
#include "pipeline/onnx_text.h"
#include "sources/dump_info.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using onnx::Value;

// NAME=VALUE words.
Result<Texts> ParsePairs(const std::vector<std::string>& words,
                         std::string_view option) {
  Texts pairs;
  for (const std::string& word : words) {
    const size_t at = word.find('=');
    if (at == std::string::npos || at == 0) {
      return Usage("{} '{}' is not NAME=VALUE", option, word);
    }
    if (!pairs.emplace(word.substr(0, at), word.substr(at + 1)).second) {
      return Usage("{} {} is given twice", option, word.substr(0, at));
    }
  }
  return pairs;
}

uint64_t MachineMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return static_cast<uint64_t>(std::max(pages, 0L)) *
         static_cast<uint64_t>(std::max(page, 0L));
}

class Binder {
 public:
  Binder(const onnx::OnnxFile& file, const InputOptions& options)
      : file_(file), options_(options) {}

  Result<std::vector<BoundInput>> Bind() {
    ASSIGN_OR_RETURN(given_, ParsePairs(options_.inputs, "--input"));
    ASSIGN_OR_RETURN(dims_, ParsePairs(options_.dims, "--dim"));
    RETURN_IF_ERROR(CheckNames());
    if (!options_.from.empty()) RETURN_IF_ERROR(OpenFrom());
    std::vector<BoundInput> inputs;
    for (const Value* value : file_.Inputs()) {
      auto input = BindOne(*value);
      if (!input) {
        // A file of values that is bad says so itself.
        if (!input.error().file.empty()) return std::move(input).error();
        return std::move(input).error().At(file_.path());
      }
      inputs.push_back(*std::move(input));
    }
    return inputs;
  }

 private:
  Status CheckNames() const {
    std::vector<std::string_view> names;
    for (const Value* value : file_.Inputs()) {
      names.push_back(file_.Text(value->name));
    }
    for (const auto& [name, text] : given_) {
      if (std::ranges::find(names, name) != names.end()) continue;
      return NotFound("the model has no input '{}'", name)
          .At(file_.path())
          .Hint(DidYouMean(name, names,
                           fmt::format("it has {}", fmt::join(names, ", "))));
    }
    return CheckDims();
  }

  Status CheckDims() const {
    std::set<std::string, std::less<>> open;
    for (const Value* value : file_.Inputs()) {
      for (size_t i = 0; i < value->shape.size(); ++i) {
        if (value->shape[i] >= 0) continue;
        open.insert(fmt::format("{}:{}", file_.Text(value->name), i));
        if (i < value->dims.size()) open.emplace(file_.Text(value->dims[i]));
      }
    }
    open.erase("");
    for (const auto& [name, text] : dims_) {
      if (open.contains(name)) continue;
      const std::vector<std::string_view> names(open.begin(), open.end());
      return NotFound("no input has an open dimension '{}'", name)
          .At(file_.path())
          .Hint(DidYouMean(
              name, names,
              names.empty() ? "all are fixed"
                            : fmt::format("open: {}", fmt::join(names, ", "))));
    }
    return Done{};
  }

  Result<BoundInput> BindOne(const Value& value) const {
    const std::string name(file_.Text(value.name));
    const OnnxType* type = FindOnnxType(uint64_t{value.type});
    if (type == nullptr) return Unsupported("input '{}' is no tensor", name);
    const DType dtype = type->dtype.value_or(DType::kOpaque);
    if (dtype == DType::kOpaque || dtype == DType::kI4) {
      return Unsupported("input '{}' is {}: such values cannot be given", name,
                         TypeText(file_, value));
    }
    BoundInput input{.name = name, .dtype = dtype};
    const auto given = given_.find(name);
    const std::string text = given == given_.end() ? "" : given->second;
    if (text.empty() && from_) return FromEarlier(value, std::move(input));
    if (text.empty() || text == "random" || text.starts_with("random,")) {
      input.range = DefaultRange(input.dtype, options_.seed);
      RETURN_IF_ERROR(ReadRange(text, input));
      return Random(value, std::move(input));
    }
    return FromFile(value, text, std::move(input));
  }

  Status ReadRange(std::string_view text, BoundInput& input) const {
    const auto parts = Split(text, ',');
    for (size_t i = 1; i < parts.size(); ++i) {
      const size_t at = parts[i].find('=');
      const std::string_view key = parts[i].substr(0, at);
      const auto number = at == std::string_view::npos
                              ? std::nullopt
                              : ParseNumber<double>(parts[i].substr(at + 1));
      const auto seed = at == std::string_view::npos
                            ? std::nullopt
                            : ParseNumber<uint64_t>(parts[i].substr(at + 1));
      if (key == "seed" && seed) {
        input.range.seed = *seed;
      } else if (key == "low" && number) {
        input.range.low = *number;
      } else if (key == "high" && number) {
        input.range.high = *number;
      } else {
        return Usage("--input {}: '{}' is not seed=N, low=X or high=Y",
                     input.name, parts[i]);
      }
    }
    return Done{};
  }

  // The size of a dimension that the model leaves open.
  Result<int64_t> Size(const Value& value, size_t axis) const {
    const NameId dim = axis < value.dims.size() ? value.dims[axis] : kNoName;
    const std::string by_place =
        fmt::format("{}:{}", file_.Text(value.name), axis);
    for (const std::string& key : {by_place, std::string(file_.Text(dim))}) {
      const auto given = dims_.find(key);
      if (key.empty() || given == dims_.end()) continue;
      const auto size = ParseNumber<uint64_t>(given->second);
      if (size && *size <= INT64_MAX) return static_cast<int64_t>(*size);
      return Usage("--dim {}={} is no size", key, given->second);
    }
    const std::string key =
        dim == kNoName ? by_place : std::string(file_.Text(dim));
    return Usage("input '{}' {} has an open dimension '{}'",
                 file_.Text(value.name), TypeText(file_, value), key)
        .Hint(fmt::format("give its size with --dim {}=N, or values with "
                          "--input {}=FILE",
                          key, file_.Text(value.name)));
  }

  Result<Shape> WholeShape(const Value& value) const {
    Shape shape = value.shape;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] >= 0) continue;
      ASSIGN_OR_RETURN(shape[i], Size(value, i));
    }
    return shape;
  }

  Result<BoundInput> Random(const Value& value, BoundInput input) const {
    ASSIGN_OR_RETURN(input.shape, WholeShape(value));
    const auto count = ElementCount(input.shape);
    const auto bytes = count ? ByteCount(input.dtype, *count) : std::nullopt;
    if (!bytes || *bytes > MachineMemory()) {
      return TooLarge("input '{}' of shape {} is more than the memory holds",
                      input.name, ToText(input.shape));
    }
    input.bytes.resize(*bytes);
    RETURN_IF_ERROR(FillRandom(
        input.dtype, input.range,
        std::as_writable_bytes(std::span(input.bytes.data(), *bytes))));
    return input;
  }

  // A raw file takes type and shape from the model.
  Result<BoundInput> FromFile(const Value& value, const std::string& path,
                              BoundInput input) const {
    CodecHints hints{.dtype = input.dtype};
    const bool raw = path.ends_with(".bin") || path.ends_with(".raw");
    if (raw) {
      ASSIGN_OR_RETURN(hints.shape, WholeShape(value));
    }
    ASSIGN_OR_RETURN(const Listing listing, ListFile(path, hints));
    const StoredTensor* stored = nullptr;
    for (const StoredTensor& tensor : listing.tensors) {
      if (tensor.name == input.name || listing.tensors.size() == 1)
        stored = &tensor;
    }
    if (stored == nullptr) {
      return NotFound("no tensor '{}' in {}", input.name, path);
    }
    if (stored->dtype != input.dtype || !Fits(stored->shape, value)) {
      return Usage("input '{}' is {}, the file {} has {}{}", input.name,
                   TypeText(file_, value), path, Name(stored->dtype),
                   ToText(stored->shape))
          .Hint("'assay convert' and NumPy change types and shapes");
    }
    input.file = path;
    input.shape = stored->shape;
    ASSIGN_OR_RETURN(input.bytes, ReadValues(path, *stored));
    return input;
  }

  static bool Fits(const Shape& shape, const Value& value) {
    if (!value.has_shape) return true;
    if (shape.size() != value.shape.size()) return false;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (value.shape[i] >= 0 && value.shape[i] != shape[i]) return false;
    }
    return true;
  }

  Status OpenFrom() {
    from_ = Earlier();
    std::error_code ignored;
    const fs::path path(options_.from);
    const bool folder = fs::is_directory(path, ignored);
    const fs::path info = folder ? path / kDumpInfoName : path;
    if (path.filename() == kDumpInfoName || fs::exists(info / "", ignored) ||
        (folder && fs::exists(info, ignored))) {
      ASSIGN_OR_RETURN(from_->info, ReadDumpInfo(info.string()));
      from_->folder = (info.parent_path() / "inputs").string();
    } else if (folder) {
      from_->folder = options_.from;
    } else {
      from_->file = options_.from;
    }
    return Done{};
  }

  // Loaded if its file is there, else generated again.
  Result<BoundInput> FromEarlier(const Value& value, BoundInput input) const {
    if (!from_->file.empty()) {
      return FromFile(value, from_->file, std::move(input));
    }
    std::error_code ignored;
    for (const std::string& stem : {input.name, FileNameOf(input.name)}) {
      for (const char* suffix : {".npy", ".safetensors", ".pb"}) {
        const std::string path =
            fmt::format("{}/{}{}", from_->folder, stem, suffix);
        if (fs::is_regular_file(path, ignored)) {
          return FromFile(value, path, std::move(input));
        }
      }
    }
    for (const EarlierInput& earlier : from_->info.inputs) {
      if (earlier.name != input.name) continue;
      if (earlier.external) break;
      input.range = {earlier.seed, earlier.low, earlier.high};
      if (!Fits(earlier.shape, value)) break;
      Value fixed = value;
      if (!earlier.shape.empty()) fixed.shape = earlier.shape;
      return Random(fixed, std::move(input));
    }
    return NotFound("{} has no values for input '{}' {}", options_.from,
                    input.name, TypeText(file_, value))
        .Hint(fmt::format("give them with --input {}=FILE", input.name));
  }

  struct Earlier {
    DumpInfo info;
    std::string folder, file;
  };

  const onnx::OnnxFile& file_;
  const InputOptions& options_;
  Texts given_, dims_;
  std::optional<Earlier> from_;
};

}  // namespace

Result<std::vector<BoundInput>> BindInputs(const onnx::OnnxFile& file,
                                           const InputOptions& options) {
  return Binder(file, options).Bind();
}

}  // namespace assay
