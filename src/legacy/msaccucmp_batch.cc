// A folder of graphs: every model of a dump tree against the golden side,
//   TIME/DEVICE/MODEL/MODELID/STEP
// each with the graph of its name.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "graphs/graph_kind.h"
#include "legacy/msaccucmp_files.h"
#include "pairing/by_rule.h"
#include "sources/digits.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> FoldersIn(const fs::path& path) {
  std::vector<fs::path> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path, ignored)) {
    if (entry.is_directory(ignored)) out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

// One run of one model.
struct ModelFolder {
  std::string device, model, step;
  fs::path path;
};

// Of several steps the last, as texts are ordered: so does the original.
std::vector<ModelFolder> ModelsIn(const fs::path& root) {
  std::vector<ModelFolder> out;
  for (const fs::path& device : FoldersIn(root)) {
    for (const fs::path& model : FoldersIn(device)) {
      for (const fs::path& id : FoldersIn(model)) {
        const std::vector<fs::path> steps = FoldersIn(id);
        if (steps.empty()) continue;
        out.push_back({device.filename(), model.filename(),
                       steps.back().filename(), steps.back()});
      }
    }
  }
  return out;
}

// Names of graphs and the files they are in.
std::map<std::string, std::string> GraphNames(const std::string& folder) {
  std::map<std::string, std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".json") continue;
    const auto graph = OpenGraph(entry.path());
    if (!graph) {
      LogWarning(Failure(OldCode::kJson, graph.error()).text);
      continue;
    }
    for (const Graph::Part& part : graph->parts) {
      names[std::string(graph->Text(part.name))] = entry.path();
    }
  }
  return names;
}

// The graph of a model: that of its name, else that of its number.
std::string GraphOf(const std::map<std::string, std::string>& names,
                    const std::string& model) {
  if (const auto found = names.find(model); found != names.end()) {
    return found->second;
  }
  for (const auto& [name, file] : names) {
    if (!BelongsTo(model, name)) continue;
    LogWarning(fmt::format("{} is taken for {}: their numbers are the same.",
                           name, model));
    return file;
  }
  return "";
}

}  // namespace

OldResult<int> CompareBatch(const NetworkRequest& request) {
  fs::path root = request.my;
  if (root.filename().empty()) root = root.parent_path();
  if (!AllDigits(root.filename().string())) {
    return Failure(OldCode::kPath,
                   "With a folder of graphs, -m is to end with the folder of "
                   "a time.");
  }
  const auto names = GraphNames(request.fusion);
  std::optional<OldCode> code;
  for (const ModelFolder& folder : ModelsIn(root)) {
    NetworkRequest one = request;
    one.my = folder.path;
    one.fusion = GraphOf(names, folder.model);
    if (one.fusion.empty()) {
      LogWarning(fmt::format("No graph belongs to {}.", folder.model));
      continue;
    }
    one.result_prefix =
        fmt::format("{}_{}_{}_", folder.device, folder.model, folder.step);
    Network network;
    if (auto opened = OpenNetwork(one, network); !opened) {
      return opened.error();
    }
    const auto result = CompareNetwork(one, network);
    if (!result) return result.error();
    LogInfo(fmt::format("The comparison result have been written to \"{}\".",
                        result->path));
    code = result->code;
  }
  if (code) return static_cast<int>(*code);
  return Failure(OldCode::kPath, "No graph of \"{}\" belongs to \"{}\".",
                 request.fusion, request.my);
}

}  // namespace assay
