#include "legacy/work_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "graphs/graph_kind.h"
#include "pipeline/choose_graphs.h"
#include "sources/digits.h"
#include "sources/dump_name.h"
#include "sources/mapping_csv.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRoots[] = {"precision_data", "precision_tool",
                                       "precision"};

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string Below(const std::string& root, std::string_view path) {
  return root == "." ? std::string(path) : fmt::format("{}/{}", root, path);
}

using Roots = std::vector<std::string>;

// The first of these that is there; empty if none is.
std::string FirstFolder(const Roots& roots,
                        std::initializer_list<std::string_view> paths) {
  for (const std::string& root : roots) {
    for (const std::string_view path : paths) {
      if (std::string folder = Below(root, path); IsFolder(folder)) {
        return folder;
      }
    }
  }
  return "";
}

std::string IfFolder(std::string path) { return IsFolder(path) ? path : ""; }

std::vector<WorkFolder::Run> FindRuns(const Roots& roots) {
  std::vector<WorkFolder::Run> runs;
  for (const std::string& root : roots) {
    const std::string npu = Below(root, "npu");
    for (const std::string& id : NamesIn(npu, EntryKind::kFolder)) {
      if (!id.starts_with("debug_")) continue;
      const std::string folder = fmt::format("{}/{}", npu, id);
      runs.push_back(
          {id, IfFolder(folder + "/dump"), IfFolder(folder + "/graph")});
    }
  }
  WorkFolder::Run old = {.id = "debug_0",
                         .dump = FirstFolder(roots, {"dump/npu"}),
                         .graphs = FirstFolder(roots, {"graph/all", "graph"})};
  if (runs.empty()) {
    if (!old.dump.empty() || !old.graphs.empty()) runs.push_back(old);
    return runs;
  }
  // Dumps in today's place, graphs where the instructions once put them.
  if (runs[0].dump.empty()) runs[0].dump = old.dump;
  if (runs[0].graphs.empty()) runs[0].graphs = old.graphs;
  return runs;
}

std::string FindFusion(const Roots& roots) {
  constexpr std::string_view kFile = "fusion_result.json";
  std::error_code ignored;
  for (const std::string& root : roots) {
    for (const std::string_view place : {"fusion/", ""}) {
      std::string path = Below(root, fmt::format("{}{}", place, kFile));
      if (fs::is_regular_file(path, ignored)) return path;
    }
  }
  // The compiler leaves it where the job was started.
  return fs::is_regular_file(kFile, ignored) ? std::string(kFile) : "";
}

Roots FindRoots(const std::string& asked, const std::string& configured) {
  if (!asked.empty()) return {WithoutSlashes(asked)};
  Roots roots;
  const std::string first =
      WithoutSlashes(fs::path(configured).lexically_normal().string());
  if (IsFolder(first)) roots.push_back(first);
  for (const std::string_view name : kRoots) {
    if (IsFolder(std::string(name)) && name != first) roots.emplace_back(name);
  }
  if (roots.empty()) roots.emplace_back(".");
  return roots;
}

// Whether the JSON that `atc` made of a graph's text is there and was made of
// this text: copying may have turned their order round by a little.
bool HasFreshJson(const std::string& text) {
  std::error_code failed;
  const auto json_time = fs::last_write_time(text + ".json", failed);
  if (failed) return false;
  return json_time + std::chrono::minutes(1) >
         fs::last_write_time(text, failed);
}

std::vector<std::string> GraphFilesIn(const std::string& folder) {
  std::vector<std::string> files;
  const auto tree = WalkTree(folder);
  if (folder.empty() || !tree) return files;
  for (const std::string& file : tree->files) {
    const std::string_view name = NameIn(file);
    const bool json = name.ends_with(".txt.json");
    if (json ? HasGraphName(name.substr(0, name.size() - 5))
             : HasGraphName(name)) {
      files.push_back(fmt::format("{}/{}", tree->root, file));
    }
  }
  files = BuiltGraphs(std::move(files));
  for (std::string& file : files) {
    if (HasFreshJson(file)) file += ".json";  // it says more than the text
  }
  return files;
}

}  // namespace

Result<WorkFolder> FindWorkFolder(const std::string& asked,
                                  const std::string& configured) {
  if (!asked.empty() && !IsFolder(asked)) {
    return NotFound("no such folder")
        .At(asked)
        .Hint(
            "it is the working folder of precision_tool, or any folder of "
            "dumps");
  }
  const Roots roots = FindRoots(asked, configured);
  WorkFolder found{
      .root = roots[0],
      .runs = FindRuns(roots),
      .golden = FirstFolder(roots, {"tf/dump", "dump/cpu"}),
      .overflow = FirstFolder(roots, {"overflow/dump", "dump/overflow"}),
      .fusion = FindFusion(roots),
      .temp = Below(roots[0], "temp")};
  for (const std::string& root : roots) {
    for (const std::string_view path : {"temp", "dump/decode", "pt"}) {
      if (auto folder = IfFolder(Below(root, path)); !folder.empty()) {
        found.arrays.push_back(std::move(folder));
      }
    }
  }
  if (found.runs.empty() && found.golden.empty() && found.overflow.empty()) {
    // A folder precision_tool may be nothing but the old tool's own.
    const std::string all = asked.empty() ? "." : roots[0];
    found.runs.push_back({"debug_0", all, all});
    found.root = found.golden = found.overflow = all;
    found.temp = Below(all, "temp");
  }
  return found;
}

RunGraphs OpenRunGraphs(const WorkFolder::Run& run) {
  RunGraphs opened;
  for (const std::string& file : GraphFilesIn(run.graphs)) {
    Result<Graph> graph = OpenGraph(file);
    if (graph) {
      opened.graphs.push_back(*std::move(graph));
    } else {
      opened.errors.push_back(std::move(graph).error());
    }
  }
  return opened;
}

std::string NewestDump(const std::string& folder) {
  std::string newest = folder;
  for (const std::string& name : NamesIn(folder, EntryKind::kFolder)) {
    if (AllDigits(name.substr(0, 1))) newest = folder + "/" + name;
  }
  return newest;
}

Result<std::vector<DeviceFile>> DeviceFilesIn(const std::string& dump) {
  ASSIGN_OR_RETURN(const Tree tree, WalkTree(NewestDump(dump)));
  const Mappings mappings(tree.root, tree.files);
  std::vector<DeviceFile> files;
  for (const std::string& file : tree.files) {
    const std::string_view name = mappings.OriginalName(file);
    const auto parsed = ParseDumpName(name);
    if (!parsed || parsed->IsOverflowRecord() || parsed->summary) continue;
    files.push_back({.path = fmt::format("{}/{}", tree.root, file),
                     .name = std::string(name),
                     .type = std::string(parsed->type),
                     .op = std::string(parsed->op),
                     .time = parsed->time});
  }
  std::ranges::sort(files, {}, &DeviceFile::name);
  return files;
}

std::vector<std::string> ArrayFilesIn(const std::string& folder) {
  std::vector<std::string> files;
  if (!IsFolder(folder)) return files;
  const auto tree = WalkTree(folder);
  if (!tree) return files;
  for (const std::string& file : tree->files) {
    if (file.ends_with(".npy")) {
      files.push_back(fmt::format("{}/{}", tree->root, file));
    }
  }
  return files;
}

}  // namespace assay
