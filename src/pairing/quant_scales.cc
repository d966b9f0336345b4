#include "pairing/quant_scales.h"

#include <cmath>

#include "base/parse_number.h"
#include "base/text.h"

namespace assay {
namespace {

// "20" or "[20,30]"; empty if it is not there or not all are numbers.
std::vector<double> Numbers(const Graph& graph, const Operator& op,
                            std::string_view key) {
  std::string_view text = graph.Attr(op.attrs, key).value_or("");
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
  }
  std::vector<double> out;
  for (const std::string_view part : Split(text, ',')) {
    const auto number = ParseNumber<double>(part);
    if (!number) return {};
    out.push_back(*number);
  }
  return out;
}

// Where the channels are, in the framework's order of dimensions.
int32_t ChannelAxis(const Graph& graph, const Operator& op) {
  if (const auto axis = Numbers(graph, op, "axis"); axis.size() == 1) {
    return static_cast<int32_t>(axis[0]);
  }
  if (op.output_tensors.empty()) return -1;
  const std::string_view layout =
      graph.Text(op.output_tensors[0].origin_layout);
  const size_t at = layout == "ND" ? layout.npos : layout.find('C');
  return at == layout.npos ? -1 : static_cast<int32_t>(at);
}

bool IsTrue(const Graph& graph, const Operator& op, std::string_view key) {
  const std::string_view text = graph.Attr(op.attrs, key).value_or("");
  return text == "true" || text == "1";
}

}  // namespace

// It rounds x * scale + offset; in sqrt_mode the scale's square is meant.
std::shared_ptr<const QuantGrid> ScalesOf(const Graph& graph,
                                          const Operator& op) {
  if (graph.Text(op.type) != "AscendQuant") return nullptr;
  const std::vector<double> scales = Numbers(graph, op, "scale");
  std::vector<double> offsets = Numbers(graph, op, "offset");
  if (offsets.empty()) offsets = {0};
  if (offsets.size() == 1) offsets.resize(scales.size(), offsets[0]);
  if (offsets.size() != scales.size()) return nullptr;
  const bool square = IsTrue(graph, op, "sqrt_mode");
  QuantGrid grid{.scales = {}, .axis = ChannelAxis(graph, op)};
  for (size_t i = 0; i < scales.size(); ++i) {
    const double scale = square ? scales[i] * scales[i] : scales[i];
    const double step = 1 / scale;
    if (!std::isfinite(step) || step == 0 || !std::isfinite(offsets[i])) {
      return nullptr;
    }
    grid.scales.push_back({step, offsets[i]});
  }
  if (grid.scales.empty()) return nullptr;
  return std::make_shared<const QuantGrid>(std::move(grid));
}

}  // namespace assay
