#include "legacy/msaccucmp_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "graphs/graph_kind.h"
#include "legacy/csv_table.h"
#include "legacy/msaccucmp_range.h"
#include "legacy/old_folder.h"
#include "pairing/rule_sets.h"
#include "pipeline/choose_graphs.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// What a folder holds, as msaccucmp tells them apart.
enum class Holds : uint8_t { kOffline, kStandard, kQuantised };

// Names of operators that quantise.
constexpr std::string_view kQuantMarks[] = {
    "_quant_layer",      "_anti_quant_layer", "AscendQuant",
    "AscendWeightQuant", "AntiQuant",         "_quant",
    "_weight_quant",     "_anti_quant",       "_dequant_layer",
    "AscendDequant",     "_dequant"};

bool HasQuantised(const OldOperators& ops) {
  return std::ranges::any_of(ops.names(), [](const std::string& name) {
    return std::ranges::any_of(kQuantMarks, [&](std::string_view mark) {
      return name.find(mark) != name.npos;
    });
  });
}

Holds WhatItHolds(const OldOperators& ops) {
  if (IsAscend(ops.dump())) return Holds::kOffline;
  if (IsConverted(ops.dump())) {
    return ops.dump().files[0].ends_with(".quant") ? Holds::kQuantised
                                                   : Holds::kStandard;
  }
  return HasQuantised(ops) ? Holds::kQuantised : Holds::kStandard;
}

OldResult<Graph> OpenRule(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    return Failure(OldCode::kPath, "The path \"{}\" does not exist.", path);
  }
  auto graph = OpenGraph(path);
  if (!graph) return Failure(OldCode::kJson, graph.error());
  for (const Operator& op : graph->operators) {
    if (!graph->Text(op.name).empty() && !graph->Text(op.type).empty())
      continue;
    return Failure(OldCode::kJson,
                   "\"{}\" has an operator without a name or a type.", path);
  }
  return *std::move(graph);
}

// Which rule files go with which folders.
OldStatus CheckFiles(const NetworkRequest& r, Holds my, Holds golden,
                     bool my_quant, bool golden_quant) {
  const bool f = !r.fusion.empty(), cf = !r.close.empty(), q = !r.quant.empty();
  const auto wrong = [](std::string_view what) {
    return Failure(OldCode::kParameter, "{}", what);
  };
  const auto no_pair = [](std::string_view what) {
    return Failure(OldCode::kDumpType, "{}", what);
  };
  if (my == Holds::kStandard) {
    return no_pair(
        "-m has arrays of a model that is not quantised: there is nothing of a "
        "device to compare.");
  }
  if (my == Holds::kQuantised) {
    if (golden != Holds::kStandard || !q || f || cf) {
      return no_pair(
          "A quantised framework model needs -q alone, and -g of the "
          "original.");
    }
    return Done{};
  }
  if (golden == Holds::kOffline) {
    if (my_quant != golden_quant) {
      return no_pair("One of the dumps is of a quantised model, one is not.");
    }
    if (f != cf || q)
      return wrong("Two dumps need both -f and -cf, or neither.");
    return Done{};
  }
  if (golden == Holds::kQuantised && !my_quant) {
    return no_pair("-g is of a quantised model, -m is not.");
  }
  if (!f || cf) return wrong("A dump against a framework needs -f.");
  if (golden == Holds::kQuantised) {
    return q ? OldStatus(wrong("A quantised dump against a quantised model "
                               "needs -f alone."))
             : Done{};
  }
  if (q != my_quant) {
    return wrong("-q goes with a quantised model, and only with that.");
  }
  return Done{};
}

// Of a folder of graphs the one that the dump belongs to.
OldResult<std::shared_ptr<const Graph>> OpenGraphOf(const std::string& path,
                                                    Dump& my) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    auto graph = OpenRule(path);
    if (!graph) return graph.error();
    return std::make_shared<const Graph>(*std::move(graph));
  }
  const auto chosen = ChooseGraphs(path, "target", my, LogInfo);
  if (!chosen) return Failure(OldCode::kJson, chosen.error());
  if (my.graphs.empty()) {
    return Failure(OldCode::kJson, "No graph in \"{}\" belongs to the dump.",
                   path);
  }
  return my.graphs.front();
}

OldStatus MakeRule(const NetworkRequest& request, Network& network) {
  if (!request.fusion.empty()) {
    const auto opened = OpenGraphOf(request.fusion, network.my);
    if (!opened) return opened.error();
    const Graph& graph = **opened;
    for (const Operator& op : graph.operators) {
      if (graph.Text(op.type) != "Data") continue;
      network.input_nodes.emplace_back(graph.Text(op.name));
    }
    network.rule = std::make_unique<FusionRule>(graph);
  }
  if (!request.quant.empty()) {
    const auto graph = OpenRule(request.quant);
    if (!graph) return graph.error();
    auto quant = std::make_unique<FusionRule>(*graph);
    if (network.rule) {
      network.rule->ThroughQuantisation(*quant);
    } else {
      network.rule = std::move(quant);
    }
  }
  if (!request.close.empty()) {
    const auto graph = OpenRule(request.close);
    if (!graph) return graph.error();
    network.rule->AgainstUnfused(FusionRule(*graph));
    network.input_nodes.clear();  // the merged rule has forgotten them
  }
  return Done{};
}

}  // namespace

OldStatus OpenNetwork(const NetworkRequest& request, Network& network) {
  auto scripts = FormatScripts::Find(request.scripts);
  if (!scripts) return scripts.error();
  network.copies = std::make_unique<ConvertedCopies>(*std::move(scripts));
  for (const bool is_my : {true, false}) {
    auto dump = OpenOldFolder(
        is_my ? request.my : request.golden,
        {.threads = request.table.ask.threads, .slices_apart = request.ffts});
    if (!dump) return dump.error();
    (is_my ? network.my : network.golden) = *std::move(dump);
  }
  network.my_ops = std::make_unique<OldOperators>(network.my);
  network.golden_ops = std::make_unique<OldOperators>(network.golden);
  const Holds my = WhatItHolds(*network.my_ops);
  if (auto fits = CheckFiles(request, my, WhatItHolds(*network.golden_ops),
                             HasQuantised(*network.my_ops),
                             HasQuantised(*network.golden_ops));
      !fits) {
    return fits;
  }
  if (auto made = MakeRule(request, network); !made) return made;
  network.unfused = !request.close.empty();
  network.quantised = my == Holds::kQuantised;
  if (!network.rule) network.alignment = OldAlignment::kByName;
  if (network.quantised) network.alignment = OldAlignment::kSameShape;
  return Done{};
}

RulePlan PlanOf(const Network& network) {
  return {.rule = *network.rule,
          .my = *network.my_ops,
          .golden = *network.golden_ops,
          .unfused = network.unfused,
          .quantised = network.quantised};
}

OldRows RowsOf(const Network& network, std::optional<std::set<uint32_t>> wanted,
               bool every_member) {
  if (!network.rule) return RowsByName(*network.my_ops, *network.golden_ops);
  RulePlan plan = PlanOf(network);
  plan.every_member = every_member;
  plan.wanted = std::move(wanted);
  return RowsByRule(plan);
}

OldTableOptions TableOptionsOf(const NetworkRequest& request,
                               const Network& network) {
  OldTableOptions options = request.table;
  options.alignment = network.alignment;
  options.sequence = request.has_range || request.has_select;
  const auto addresses = [](const Dump& dump) {
    return IsAscend(dump) || IsConverted(dump);
  };
  options.my_address = addresses(network.my);
  options.golden_address = addresses(network.golden);
  options.overflow = options.overflow && IsAscend(network.my);
  if (!network.rule) {  // two device dumps: all values, all as numbers
    options.ask.first = 0;
    options.ask.bool_is_number = true;
  }
  return options;
}

OldResult<NetworkTable> CompareNetwork(const NetworkRequest& request,
                                       const Network& network) {
  std::optional<std::set<uint32_t>> wanted;
  if (request.has_range || request.has_select) {
    auto chosen = ChooseGroups(
        *network.rule, {request.has_select ? request.select : request.range,
                        request.has_select, network.unfused});
    if (!chosen) return chosen.error();
    wanted = *std::move(chosen);
  }
  const OldRows rows = RowsOf(network, std::move(wanted), request.mapping);
  const OldTableOptions options = TableOptionsOf(request, network);
  NetworkTable out;
  out.table = request.mapping
                  ? MappingTable(rows, network.sides(), options.sequence)
                  : FillTable(rows, network.sides(), options);
  out.matched = rows.matched;
  out.code = request.mapping ? OldCode::kOk : rows.Outcome();
  out.path = fmt::format("{}/{}{}_{}.csv", request.out, request.result_prefix,
                         request.mapping ? "mapping" : "result",
                         TimeStamp(Clock::kLocal));
  if (auto wrote = WriteOldFile(out.path, TableText(out.table)); !wrote) {
    return OldFailure{OldCode::kOpen, wrote.error().text};
  }
  return out;
}

OldStatus WriteOldFile(const std::string& path, std::string_view text) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (auto wrote = WriteWhole(path, text); !wrote) {
    return Failure(OldCode::kWrite, wrote.error());
  }
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, error);
  return Done{};
}

}  // namespace assay
