#include "pipeline/acl_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay {
namespace {

Status Check(const AclDump& dump) {
  constexpr std::string_view kModes[] = {"all", "input", "output"};
  if (dump.models.empty() && !dump.operators) {
    return Usage("which model?")
        .Hint("--model NAME, as the model is called inside the .om file");
  }
  if (dump.dump_path.empty()) {
    return Usage("where to?").Hint("--dump-path DIR, on the device's host");
  }
  if (std::ranges::find(kModes, dump.mode) == std::end(kModes)) {
    return Usage("unknown mode '{}'", dump.mode)
        .Hint("one of all, input, output");
  }
  if (!dump.layers.empty() && dump.models.size() != 1) {
    return Usage("layers of which model? {} are named", dump.models.size())
        .Hint("give --layer with one --model");
  }
  return Done{};
}

}  // namespace

Result<std::string> AclJson(const AclDump& dump) {
  RETURN_IF_ERROR(Check(dump));
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string& model : dump.models) {
    nlohmann::ordered_json entry = {{"model_name", model}};
    if (!dump.layers.empty()) entry["layer"] = dump.layers;
    list.push_back(std::move(entry));
  }
  const nlohmann::ordered_json whole = {
      {"dump",
       {{"dump_list", std::move(list)},
        {"dump_path", dump.dump_path},
        {"dump_mode", dump.mode},
        {"dump_op_switch", dump.operators ? "on" : "off"}}}};
  return whole.dump(2, ' ', false,
                    nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace assay
