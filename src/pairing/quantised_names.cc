#include "pairing/quantised_names.h"

#include <algorithm>
#include <span>

namespace assay {
namespace {

constexpr std::string_view kStarts[] = {"_quant_layer", "/AscendQuant",
                                        "/AscendWeightQuant", ".quant",
                                        ".weight_quant"};
constexpr std::string_view kEnds[] = {"_dequant_layer", "_anti_quant_layer",
                                      "/AscendDequant", "/AntiQuant",
                                      ".dequant",       ".anti_quant"};

bool Mentions(const RuleOp& op, std::span<const std::string_view> marks) {
  const auto has = [&](std::string_view text) {
    return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) {
      return text.find(mark) != std::string_view::npos;
    });
  };
  return has(op.name) ||
         std::any_of(op.originals.begin(), op.originals.end(), has);
}

}  // namespace

bool IsQuantised(const RuleOp& op, const RuleTensor& output) {
  return output.dtype == "DT_INT8" && Mentions(op, kStarts);
}

bool IsDequantised(const RuleOp& op, const RuleTensor& output) {
  return output.dtype == "DT_FLOAT16" && Mentions(op, kEnds);
}

bool HidesInputs(const RuleOp& op) {
  return op.type == "AscendDequant" || op.name.ends_with("_dequant_layer") ||
         op.name.ends_with("AscendDequant") || op.name.ends_with("_dequant");
}

bool HidesOutputs(const RuleOp& op) { return op.type == "AscendQuant"; }

}  // namespace assay
