#include "pipeline/onnx_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/json_writer.h"
#include "base/text.h"
#include "codecs/onnx_type.h"
#include "graphs/onnx_graph.h"
#include "graphs/onnx_order.h"

namespace assay {
namespace {

using onnx::OnnxFile;
using onnx::Value;

bool IsWord(std::string_view text) {
  constexpr std::string_view kMore = "._/@-+";
  return !text.empty() && text != "-" &&
         std::ranges::all_of(text, [&](unsigned char c) {
           return std::isalnum(c) ||
                  kMore.find(static_cast<char>(c)) != kMore.npos;
         });
}

std::string Quoted(std::string_view text) {
  return IsWord(text) ? std::string(text) : JsonQuoted(text);
}

std::string AttributeValue(const OnnxFile& file,
                           const onnx::Attribute& attribute) {
  std::string text;
  for (const NameId item : attribute.items) {
    if (!text.empty()) text += ',';
    text += attribute.strings ? JsonQuoted(file.Text(item))
                              : std::string(file.Text(item));
  }
  return attribute.list ? "[" + text + "]" : text;
}

std::string Attributes(const OnnxFile& file, const onnx::Node& node) {
  std::string text;
  for (const onnx::Attribute& attribute : node.attributes) {
    text += text.empty() ? " {" : ", ";
    text += fmt::format("{}={}", file.Text(attribute.name),
                        AttributeValue(file, attribute));
  }
  return text.empty() ? text : text + "}";
}

std::string Statement(const OnnxFile& file, const onnx::Node& node) {
  std::string outputs, inputs;
  for (const NameId name : node.outputs) {
    if (!outputs.empty()) outputs += ", ";
    if (name == kNoName) {
      outputs += '-';
      continue;
    }
    outputs += Quoted(file.Text(name));
    const Value* known = file.Known(name);
    if (known != nullptr) outputs += ": " + TypeText(file, *known);
  }
  for (const NameId name : node.inputs) {
    if (!inputs.empty()) inputs += ", ";
    inputs += name == kNoName ? "-" : Quoted(file.Text(name));
  }
  const std::string_view domain = file.Text(node.domain);
  return fmt::format(
      "{} = {}{}({}){}{}\n", outputs,
      domain.empty() ? "" : fmt::format("{}::", domain), file.Text(node.type),
      inputs, Attributes(file, node),
      node.name == kNoName ? "" : fmt::format("  # {}", file.Text(node.name)));
}

// Inputs and initializers that the nodes need.
std::string Declarations(const OnnxFile& file, const onnx::Cut& cut,
                         const std::vector<uint32_t>& nodes) {
  std::unordered_set<NameId> needed;
  for (const uint32_t number : nodes) {
    for (const NameId name :
         onnx::NeedsOf(file.model(), file.graph().nodes[number])) {
      needed.insert(name);
    }
  }
  std::string text;
  const auto add = [&](std::string_view word, const Value& value) {
    text += fmt::format("{} {}: {}\n", word, Quoted(file.Text(value.name)),
                        TypeText(file, value));
  };
  for (const NameId name : cut.from) {
    if (const Value* known = file.Known(name)) add("input", *known);
  }
  for (const Value* value : file.Inputs()) {
    const bool cut_off =
        std::ranges::find(cut.from, value->name) != cut.from.end();
    if (needed.contains(value->name) && !cut_off) add("input", *value);
  }
  for (const Value& value : file.graph().initializers) {
    if (needed.contains(value.name)) add("const", value);
  }
  return text;
}

}  // namespace

std::string TypeText(const OnnxFile& file, const Value& value) {
  const OnnxType* type = FindOnnxType(uint64_t{value.type});
  std::string text = type == nullptr ? "?"
                     : type->dtype && *type->dtype != DType::kOpaque
                         ? std::string(Name(*type->dtype))
                         : std::string(type->name);
  if (!value.has_shape) return text;
  text += '[';
  for (size_t i = 0; i < value.shape.size(); ++i) {
    if (i > 0) text += ',';
    const NameId dim = i < value.dims.size() ? value.dims[i] : kNoName;
    text += dim != kNoName       ? std::string(file.Text(dim))
            : value.shape[i] < 0 ? "?"
                                 : std::to_string(value.shape[i]);
  }
  return text + ']';
}

Result<std::string> ModelText(const OnnxFile& file, const onnx::Cut& cut) {
  ASSIGN_OR_RETURN(const std::vector<uint32_t> nodes, onnx::NodesOf(file, cut));
  std::string text = Declarations(file, cut, nodes);
  for (const uint32_t number : nodes) {
    text += Statement(file, file.graph().nodes[number]);
  }
  return text;
}

}  // namespace assay
