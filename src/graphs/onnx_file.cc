#include "graphs/onnx_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_set>

#include "graphs/onnx_order.h"

namespace assay::onnx {
namespace {

namespace fs = std::filesystem;

// The path stays below the folder it is relative to.
bool StaysInside(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return !path.empty() && path.is_relative() && *normal.begin() != "..";
}

// Links count by where they lead: a cache may keep a model and its values
// elsewhere, side by side.
bool LeadsAway(const fs::path& model, const fs::path& location) {
  std::error_code failed;
  const fs::path folder = fs::absolute(model).parent_path();
  const fs::path file = fs::canonical(folder / location, failed);
  if (failed) return false;
  const auto is_below = [&](const fs::path& top) {
    return StaysInside(file.lexically_relative(top));
  };
  return !is_below(fs::canonical(folder, failed)) &&
         !is_below(fs::canonical(model, failed).parent_path());
}

// Of one element, by ONNX's number of the type; 0: not known.
constexpr uint8_t kBits[] = {0, 32, 8,  8,  16, 16, 32,  64, 0,
                             8, 16, 64, 32, 64, 64, 128, 16, 8,
                             8, 8,  8,  4,  4,  4,  8,   2,  2};

uint64_t BytesOf(const Value& value) {
  const uint64_t bits = value.type < std::size(kBits) ? kBits[value.type] : 0;
  const uint64_t count = ElementCount(value.shape).value_or(0);
  if (bits == 0 || count > UINT64_MAX / bits - 1) return 0;
  return (count * bits + 7) / 8;
}

Status CheckExternalFile(const fs::path& model, const std::string& location,
                         const Value& value) {
  const ExternalData& data = *value.external;
  if (!data.wrong.empty()) return Corrupt("external_data: {}", data.wrong);
  if (!StaysInside(location) || LeadsAway(model, location)) {
    return Corrupt("external_data.location '{}' leaves the model's folder",
                   location)
        .Hint("values may lie beside the model or below it only");
  }
  std::error_code failed;
  const uint64_t size =
      fs::file_size(fs::absolute(model).parent_path() / location, failed);
  if (failed) {
    return NotFound("external_data.location '{}' is not there", location)
        .Hint("copy the file with the values beside the model");
  }
  const uint64_t offset = data.offset.value_or(0), needs = BytesOf(value);
  const uint64_t length = data.length.value_or(needs);
  if (length < needs) {
    return Corrupt("external_data.length is {}, the shape {} needs {}", length,
                   ToText(value.shape), needs);
  }
  if (offset <= size && length <= size - offset) return Done{};
  return Corrupt("external_data needs bytes {} to {} of '{}', which has {}",
                 offset, offset + length, location, size)
      .Hint("the file with the values looks truncated");
}

}  // namespace

Result<OnnxFile> OnnxFile::Open(const std::string& path) {
  OnnxFile out;
  ASSIGN_OR_RETURN(InputFile file, InputFile::Open(path));
  out.file_ = std::make_shared<const InputFile>(std::move(file));
  ASSIGN_OR_RETURN(WholeFile whole, WholeFile::Map(*out.file_));
  out.whole_ = std::make_shared<const WholeFile>(std::move(whole));
  const auto in = ReadWireFields(out.bytes(), kModelSchema, out.path());
  Result<Model> model = ReadModel(*in);
  RETURN_IF_ERROR(out.Intact());
  const auto placed = [&](Error error) {
    return error.file.empty() ? std::move(error).At(path) : error;
  };
  if (!model) return placed(std::move(model).error());
  out.model_ = *std::move(model);
  Result<std::vector<uint32_t>> order = RunOrder(out.model_);
  if (!order) return placed(std::move(order).error());
  out.order_ = *std::move(order);
  RETURN_IF_ERROR(out.CheckExternal());
  out.NumberTaps();
  out.NoteValues();
  return out;
}

void OnnxFile::NumberTaps() {
  for (const uint32_t number : order_) {
    const Node& node = graph().nodes[number];
    for (uint32_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kNoName) continue;
      makers_.emplace(node.outputs[i], number);
      if (Text(node.type) == "Constant") continue;
      taps_.push_back({node.outputs[i], number, i});
    }
  }
}

// Of the weights, and of constants that are nodes.
Status OnnxFile::CheckExternal() const {
  for (const Part& part : model_.parts) {
    for (const Value& value : part.initializers) {
      RETURN_IF_ERROR(CheckExternal(part, value, value.name));
    }
    for (const Node& node : part.nodes) {
      for (const Attribute& attribute : node.attributes) {
        if (!attribute.tensor || node.outputs.empty()) continue;
        RETURN_IF_ERROR(
            CheckExternal(part, *attribute.tensor, node.outputs[0]));
      }
    }
  }
  return Done{};
}

Status OnnxFile::CheckExternal(const Part& part, const Value& value,
                               NameId name) const {
  if (!value.external) return Done{};
  const std::string location(Text(value.external->location));
  Status status = CheckExternalFile(path(), location, value);
  if (status) return status;
  const auto user = std::ranges::find_if(part.nodes, [&](const Node& node) {
    return std::ranges::find(node.inputs, name) != node.inputs.end();
  });
  std::string tensor(Text(name));
  if (user != part.nodes.end()) {
    tensor += fmt::format(", for {}", NodeText(model_, *user));
  }
  return std::move(status).error().At(path()).Of(tensor);
}

std::vector<const Value*> OnnxFile::Inputs() const {
  std::unordered_set<NameId> filled;
  for (const Value& value : graph().initializers) filled.insert(value.name);
  std::vector<const Value*> inputs;
  for (const Value& value : graph().inputs) {
    if (!filled.contains(value.name)) inputs.push_back(&value);
  }
  return inputs;
}

// The first that tells a type wins.
void OnnxFile::NoteValues() {
  for (const auto list : {&Part::values, &Part::outputs, &Part::inputs}) {
    const std::vector<Value>& values = graph().*list;
    for (uint32_t i = 0; i < values.size(); ++i) {
      if (values[i].dtype == kNoName) continue;
      known_.emplace(values[i].name, Place{list, i});
    }
  }
}

const Value* OnnxFile::Known(NameId tensor) const {
  const auto at = known_.find(tensor);
  if (at == known_.end()) return nullptr;
  return &(graph().*at->second.list)[at->second.number];
}

const Node* OnnxFile::MakerOf(NameId tensor) const {
  const auto maker = makers_.find(tensor);
  return maker == makers_.end() ? nullptr : &graph().nodes[maker->second];
}

std::vector<std::string> OnnxFile::ExternalFiles() const {
  std::set<std::string> files;
  for (const Part& part : model_.parts) {
    for (const Value& value : part.initializers) {
      if (value.external) files.emplace(Text(value.external->location));
    }
    for (const Node& node : part.nodes) {
      for (const Attribute& attribute : node.attributes) {
        if (!attribute.tensor || !attribute.tensor->external) continue;
        files.emplace(Text(attribute.tensor->external->location));
      }
    }
  }
  return {files.begin(), files.end()};
}

}  // namespace assay::onnx
