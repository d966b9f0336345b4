#include "executors/ort_node.h"

#include <fmt/format.h>

#include <vector>

#include "graphs/onnx_order.h"

namespace assay::ort {
namespace {

// "Op (Conv)", "domain:Conv(-1)", "for Conv(11)", `("name", Conv, ""`.
bool Names(std::string_view said, std::string_view type) {
  constexpr std::string_view kBefore = "(: ", kAfter = "(),";
  for (size_t at = said.find(type); at != std::string_view::npos;
       at = said.find(type, at + 1)) {
    const size_t end = at + type.size();
    if (at > 0 && end < said.size() &&
        kBefore.find(said[at - 1]) != std::string_view::npos &&
        kAfter.find(said[end]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string WithNode(const onnx::OnnxFile& file, std::string_view said) {
  std::vector<const onnx::Node*> meant;
  for (const uint32_t number : file.order()) {
    const onnx::Node& node = file.graph().nodes[number];
    if (!Names(said, file.Text(node.type))) continue;
    const std::string_view name = file.Text(node.name);
    if (!name.empty() && said.find(name) != std::string_view::npos) {
      return std::string(said);
    }
    meant.push_back(&node);
  }
  if (meant.empty()) return std::string(said);
  const std::string first = onnx::NodeText(file.model(), *meant[0]);
  if (meant.size() == 1) return fmt::format("{} (this is {})", said, first);
  return fmt::format("{} (one of {} such nodes; the first is {})", said,
                     meant.size(), first);
}

}  // namespace assay::ort
